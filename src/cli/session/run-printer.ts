/** Shows a run while it goes on: what the model says as it comes, a line for each tool call, and what was used. */
import type { RunCounts } from '../../agent/errors.ts';
import type { RunEvent } from '../../agent/events.ts';
import { systemClock } from '../../basics/clock.ts';
import { shorten } from '../../basics/shorten.ts';
import type { ToolsetEvent } from '../../bridge/toolset/toolset-events.ts';
import type { Usage } from '../../models/model.ts';
import type { LogLevel } from '../../tools/context.ts';
import { renderContent } from '../../tools/render-content.ts';
import { inCommandWords } from '../option-names.ts';
import { count, plainLine, plainText, showValue } from '../print.ts';
import { showProgress } from '../server/progress.ts';
import { tellToolsetEvent } from '../server/toolset-news.ts';
import type { Terminal } from '../terminal.ts';

type Shown<Type> = (event: Extract<RunEvent, { readonly type: Type }>) => void;

/** What a tool says of itself that is for whoever looks for a fault. */
const quiet: ReadonlySet<LogLevel> = new Set(['debug', 'info', 'notice']);

export class RunPrinter {
  readonly #terminal: Terminal;
  /** False when the result is printed as data at the end. */
  readonly #speaks: boolean;
  readonly #connecting = new Set<string>();
  #isMidLine = false;
  #stopWaiting: () => void = () => {};

  constructor(terminal: Terminal, speaks: boolean) {
    this.#terminal = terminal;
    this.#speaks = speaks;
  }

  /** What is shown of each event; nothing where something else shows it, or nobody needs it while it goes on. */
  readonly #shown: { readonly [Type in RunEvent['type']]: Shown<Type> | undefined } = {
    'model-start': ({ model }) => this.#wait(`waiting for ${model}`),
    'text-delta': ({ text }) => this.#say(text),
    'model-end': () => this.#endLine(),
    'tool-call': ({ tool, arguments: args }) => this.#tell(`call ${tool} ${args}`),
    'tool-start': ({ tool }) => this.#wait(`${tool} runs`),
    'tool-progress': event => {
      this.#terminal.status(plainLine(`${event.tool}: ${tellProgress(event)}`));
    },
    'tool-log': ({ tool, level, data }) => {
      if (!quiet.has(level))
        this.#tell(`${level} ${tool}: ${typeof data === 'string' ? data : showValue(data)}`);
    },
    'tool-end': ({ tool, result, isError }) => {
      const said = typeof result === 'string' ? result : renderContent(result);
      const size = said.length > 200 ? ` (${count(said.length, 'character')})` : '';
      this.#tell(`${isError ? 'fail' : 'done'} ${tool}${size}: ${said.slice(0, 1000)}`);
    },
    note: ({ message }) => this.#tell(`note: ${message}`),
    'output-rejected': ({ message }) => this.#tell(`again: ${message}`),
    'run-end': () => this.#endLine(),
    'run-start': undefined,
    'turn-start': undefined,
    // One waits for the answer; `tool-call` has the whole arguments.
    'reasoning-delta': undefined,
    'tool-input-delta': undefined,
    // An agent of the terminal has no agents below it, and asks for approval without pausing.
    delegated: undefined,
    'run-paused': undefined,
  };

  readonly event = <Event extends RunEvent>(event: Event): void => {
    (this.#shown[event.type] as ((event: Event) => void) | undefined)?.(event);
  };

  /** What becomes of the servers. */
  readonly server = (event: ToolsetEvent): void => {
    if (event.type === 'server') {
      const { key, state } = event.server;
      if (state === 'connecting') this.#connecting.add(key);
      else this.#connecting.delete(key);
      if (this.#connecting.size > 0) this.#wait(`waiting for ${[...this.#connecting].join(', ')}`);
      else this.#stopWaiting();
    }
    const told = tellToolsetEvent(event);
    if (told === undefined) return;
    this.#endLine();
    // In full: it says what to mend.
    this.#terminal.warn(plainLine(inCommandWords(told)));
  };

  /** What a run used, as the last line of it. */
  summary(counts: RunCounts, usage: Usage): void {
    const { inputTokens, outputTokens } = usage;
    this.#terminal.warn(
      `${count(counts.turns, 'turn')}, ${count(counts.toolCalls, 'tool call')}, ${count(inputTokens, 'token')} in, ${outputTokens.toLocaleString('en')} out`,
    );
  }

  /** Nothing goes on any more. */
  end(): void {
    this.#endLine();
  }

  #wait(text: string): void {
    this.#stopWaiting();
    this.#stopWaiting = showProgress(this.#terminal, plainLine(text), systemClock);
  }

  #say(text: string): void {
    if (text === '') return;
    this.#stopWaiting();
    if (!this.#speaks) return;
    const shown = process.stdout.isTTY ? plainText(text.replaceAll('\r', '')) : text;
    this.#terminal.write(shown);
    if (shown !== '') this.#isMidLine = !shown.endsWith('\n');
  }

  #endLine(): void {
    this.#stopWaiting();
    if (this.#isMidLine) this.#terminal.write('\n');
    this.#isMidLine = false;
  }

  #tell(text: string): void {
    this.#endLine();
    this.#terminal.warn(shorten(plainLine(text), Math.max(process.stderr.columns || 200, 20)));
  }
}

function tellProgress({ done, total, message }: Extract<RunEvent, { type: 'tool-progress' }>): string {
  const far =
    total !== undefined && total > 0 ? `${Math.min(Math.floor((100 * done) / total), 100)}%` : String(done);
  return message === undefined ? far : `${far} ${message}`;
}
