/** Asks the person at the terminal, one after the other, and holds back meanwhile what else would be said. */
import type { Terminal } from '../terminal.ts';
import { holdTerminal } from './held-terminal.ts';
import { type Typing, typeLine } from './type-line.ts';

/** One exchange with the person. */
export interface Dialogue {
  say(text: string): void;
  /** The line that is typed; undefined when the person ends the input. Rejects with the reason of the signal. */
  ask(question: string, typing?: Typing): Promise<string | undefined>;
}

export interface Asker {
  /** To be used in place of the terminal, so that nothing is said into a question. */
  readonly terminal: Terminal;
  /** Runs `talk` once nobody else is talking. The signal ends a question that stands. */
  converse<Result>(
    talk: (dialogue: Dialogue) => Promise<Result>,
    signal?: AbortSignal | undefined,
  ): Promise<Result>;
}

/** The one at the process's own terminal; undefined where there is none to type at and to read from. */
export function askerAt(terminal: Terminal): Asker | undefined {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return makeAsker(terminal, typeLine);
}

/** For tests: lines come from `type`. */
export function makeAsker(
  to: Terminal,
  type: (
    question: string,
    signal?: AbortSignal | undefined,
    typing?: Typing | undefined,
  ) => Promise<string | undefined>,
): Asker {
  const { terminal, hold } = holdTerminal(to);
  let last: Promise<unknown> = Promise.resolve();
  return {
    terminal,
    converse(talk, signal) {
      const turn = last.then(async () => {
        signal?.throwIfAborted();
        const release = hold();
        try {
          return await talk({ say: to.warn, ask: (question, typing) => type(question, signal, typing) });
        } finally {
          release();
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
