/** Shows a run while it goes on: what the model says as it comes, a line for each tool call, and what was used. */
import type { RunCounts } from '../../agent/errors.ts';
import type { RunEvent } from '../../agent/events.ts';
import { systemClock } from '../../basics/clock.ts';
import { messageOf } from '../../basics/failure.ts';
import { shorten } from '../../basics/shorten.ts';
import type { ToolsetEvent } from '../../bridge/toolset/toolset-events.ts';
import type { Usage } from '../../models/model.ts';
import { renderContent } from '../../tools/render-content.ts';
import { count, plainLine, plainText } from '../print.ts';
import { showProgress } from '../server/progress.ts';
import type { Terminal } from '../terminal.ts';

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

  readonly event = (event: RunEvent): void => {
    switch (event.type) {
      case 'model-start':
        this.#wait(`waiting for ${event.model}`);
        break;
      case 'text-delta':
        this.#say(event.text);
        break;
      case 'model-end':
        this.#endLine();
        break;
      case 'tool-call':
        this.#tell(`call ${event.tool} ${event.arguments}`);
        break;
      case 'tool-start':
        this.#wait(`${event.tool} runs`);
        break;
      case 'tool-progress':
        this.#terminal.status(plainLine(`${event.tool}: ${tellProgress(event)}`));
        break;
      case 'tool-end': {
        const said = typeof event.result === 'string' ? event.result : renderContent(event.result);
        const size = said.length > 200 ? ` (${count(said.length, 'character')})` : '';
        this.#tell(`${event.isError ? 'fail' : 'done'} ${event.tool}${size}: ${said.slice(0, 1000)}`);
        break;
      }
      case 'note':
        this.#tell(`note: ${event.message}`);
        break;
      case 'output-rejected':
        this.#tell(`again: ${event.message}`);
        break;
      case 'run-end':
        this.#endLine();
        break;
    }
  };

  /** What becomes of the servers. */
  readonly server = (event: ToolsetEvent): void => {
    if (event.type === 'drop') {
      this.#tell(`the tool ${event.server}/${event.tool} is left out: ${event.reason}`);
    }
    if (event.type !== 'server') return;
    const { key, state, error } = event.server;
    if (state === 'connecting') this.#connecting.add(key);
    else this.#connecting.delete(key);
    if (this.#connecting.size > 0) this.#wait(`waiting for ${[...this.#connecting].join(', ')}`);
    else this.#stopWaiting();
    if (state === 'failed') {
      this.#endLine();
      this.#terminal.warn(plainLine(`the server ${key} cannot be used: ${messageOf(error)}`));
    }
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
