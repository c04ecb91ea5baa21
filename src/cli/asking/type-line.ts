/** Reads a line that is typed at the process's own terminal. */
import { createInterface } from 'node:readline';
import { onAbort } from '../../basics/abort.ts';

/** How a line is typed. */
export interface Typing {
  /** Earlier lines, the newest first. */
  readonly history?: readonly string[];
  /** Whether lines that are pasted at once belong together; all but the first are dropped unless so. */
  readonly isText?: boolean;
  /** Whether what was typed before the question could be seen is dropped: nobody can have meant it. */
  readonly isFresh?: boolean;
}

/** What is typed until Enter, with the keys that a shell knows. */
export async function typeLine(
  question: string,
  signal?: AbortSignal | undefined,
  { history = [], isText = false, isFresh = false }: Typing = {},
): Promise<string | undefined> {
  signal?.throwIfAborted();
  if (isFresh) await dropTyped();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const { stdin: input, stderr: output } = process;
    const lines = createInterface({ input, output, terminal: true, history: [...history] });
    const typed: string[] = [];
    let settled = false;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      forget();
      lines.close();
      finish();
    };
    const broken = (finish: () => void): void => {
      // The cursor still stands behind the question.
      if (!settled) output.write('\n');
      settle(finish);
    };
    const forget =
      signal === undefined ? () => {} : onAbort(signal, () => broken(() => reject(signal.reason)));
    lines.on('line', line => {
      typed.push(line);
      // What was pasted comes line by line, but all of it before anything else.
      if (typed.length === 1) {
        setImmediate(() => settle(() => resolve(isText ? typed.join('\n') : typed[0])));
      }
    });
    lines.once('close', () => {
      if (typed.length === 0) broken(() => resolve(undefined));
    });
    // While a line is typed the terminal makes no signal of Ctrl-C.
    lines.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
    lines.setPrompt(question);
    lines.prompt();
  });
}

/** Reads what the terminal holds already. */
async function dropTyped(): Promise<void> {
  const { stdin } = process;
  const ignore = (): void => {};
  stdin.setRawMode(true);
  stdin.on('data', ignore);
  // It is ready at once, so a few turns of the loop will do.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  stdin.off('data', ignore);
  stdin.pause();
  stdin.setRawMode(false);
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
