/** Questions and log messages of a server that say of no call to which they belong: finds somebody to hand them to. */
import { onAbort } from '../../basics/abort.ts';
import type { Visitor } from '../../eras/index.ts';
import type { Question } from '../../protocol/question.ts';
import type { Params } from '../../rpc/message.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import type { LogLevel } from '../../tools/context.ts';
import { type HeldCall, isOver } from './held-call.ts';

/** One per connection to the server behind. */
export class QuestionDesk {
  readonly #standing: Visitor['standing'];
  readonly #oneCaller: boolean;
  /** In the order in which they began. */
  readonly #running = new Set<HeldCall>();
  readonly #waiting = new Set<() => void>();
  #closed = false;

  /** `oneCaller`: all calls are one client's, which `standing` may reach outside of them. */
  constructor(standing: Visitor['standing'], oneCaller: boolean) {
    this.#standing = standing;
    this.#oneCaller = oneCaller;
  }

  enter(held: HeldCall): void {
    this.#running.add(held);
    for (const wake of [...this.#waiting]) wake();
  }

  leave(held: HeldCall): void {
    this.#running.delete(held);
  }

  /** The client's answer as it came; rejects with what to answer the server. */
  async ask(question: Question, signal: AbortSignal): Promise<Params> {
    for (;;) {
      signal.throwIfAborted();
      const held = this.#choose();
      try {
        if (held) return await held.ask(question, signal);
        if (this.#standing?.open) return (await this.#standing.ask(question, signal)) as Params;
      } catch (thrown) {
        // The call ended first, so that the question was another's, or nobody's.
        if (!isOver(thrown) || this.#closed) throw thrown;
        continue;
      }
      if (!this.#standing || this.#closed) throw nobody(this.#running.size);
      await this.#next(signal);
    }
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const [first] = this.#running;
    if (first && (this.#running.size === 1 || (this.#oneCaller && !this.#standing?.open))) {
      first.log(level, data, logger);
    } else this.#standing?.log(level, data, logger);
  }

  close(): void {
    this.#closed = true;
    for (const wake of [...this.#waiting]) wake();
  }

  /** The only call, or, where all are one client's that can be reached in no other way, the newest. */
  #choose(): HeldCall | undefined {
    const running = [...this.#running];
    if (running.length === 1 || (this.#oneCaller && this.#standing?.open !== true)) return running.at(-1);
    return undefined;
  }

  /** Waits until there is a call, or another way, by which the client can be asked. */
  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      let stop = (): void => {};
      const forget = (): void => {
        stop();
        unlisten();
        this.#waiting.delete(wake);
      };
      const wake = (): void => {
        forget();
        if (this.#closed) reject(nobody(0));
        else resolve();
      };
      this.#waiting.add(wake);
      const unlisten = this.#standing?.onOpen(wake) ?? (() => {});
      stop = onAbort(signal, () => {
        forget();
        reject(signal.reason);
      });
    });
  }
}

function nobody(running: number): ProtocolError {
  const why =
    running > 1
      ? 'several calls of different clients run on this connection, and the question does not say which one asks'
      : 'no call runs through which a client could be asked';
  return new ProtocolError(codes.invalidRequest, why);
}
