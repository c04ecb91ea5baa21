/** Messages to a pipe: in order, one write for all of one tick, and bounded when the other end does not read. */
import type { Writable } from 'node:stream';
import { printMessage } from '../basics/json.ts';
import type { Message } from '../rpc/message.ts';

export interface OutboundOptions {
  /** The most characters that may wait for a reader before one more message is refused; a single one may be longer. */
  readonly limit: number;
  /** The other end has stopped reading; `waiting` characters stand there. Called once; nothing is taken afterwards. */
  overflow(waiting: number): void;
}

export class Outbound {
  readonly #stream: Writable;
  readonly #options: OutboundOptions;
  readonly #flush: () => void;
  #lines: string[] = [];
  /** Characters in `#lines`. */
  #waiting = 0;
  #scheduled = false;
  #blocked = false;
  #ended = false;

  constructor(stream: Writable, options: OutboundOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#flush = () => {
      this.#scheduled = false;
      this.#write();
    };
    stream.on('drain', () => {
      this.#blocked = false;
      this.#write();
    });
  }

  /** Takes a message; throws a `TypeError` when there is no JSON for it, and for no other reason. */
  send(message: Message): void {
    if (this.#ended) return;
    const line = `${printMessage(message)}\n`;
    const waiting = this.#waiting + this.#stream.writableLength;
    if (waiting > this.#options.limit) {
      this.#discard();
      this.#options.overflow(waiting);
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    process.nextTick(this.#flush);
  }

  /** Writes what waits and ends the pipe behind it. */
  end(): void {
    if (this.#ended) return;
    this.#blocked = false;
    this.#write();
    this.#discard();
    this.#stream.end();
  }

  #write(): void {
    if (this.#blocked || this.#lines.length === 0 || !this.#stream.writable) return;
    const text = this.#lines.length === 1 ? (this.#lines[0] ?? '') : this.#lines.join('');
    this.#lines = [];
    this.#waiting = 0;
    this.#blocked = !this.#stream.write(text);
  }

  #discard(): void {
    this.#ended = true;
    this.#lines = [];
    this.#waiting = 0;
  }
}
