/** Lines to a byte stream: in order, those of one turn of the event loop in few writes, at the pace of the reader. */
import type { Writable } from 'node:stream';

type Write = (text: string, done: (error?: Error | null) => void) => boolean;

export interface LineWriterOptions {
  /** What writes; the stream's own `write` unless said. */
  readonly write?: Write;
  /** The stream cannot be written to any more; called once, and nothing is written afterwards. */
  broken(error: Error): void;
}

/** So many characters do not wait for the end of the turn: as many as a pipe takes, and the collector finds them dead. */
const enough = 65_536;

/** Lines are joined up to about this many characters, so that no string grows without bound behind a slow reader. */
const joinLimit = 1_048_576;

/** Never throws, whatever the stream does. The stream stays open at the end: it is its owner's. */
export class LineWriter {
  readonly #output: Writable;
  readonly #write: Write;
  readonly #broken: (error: Error) => void;
  #lines: string[] = [];
  /** Characters of `#lines`. */
  #size = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #full = false;
  /** Writes that the stream has not confirmed yet. */
  #unconfirmed = 0;
  #over = false;
  #hasFailed = false;
  #idle: (() => void)[] = [];
  #backlog = 0;
  #waiting: { readonly most: number; readonly taken: () => void }[] = [];

  constructor(output: Writable, options: LineWriterOptions) {
    this.#output = output;
    this.#write = options.write ?? ((text, done) => output.write(text, 'utf8', done));
    this.#broken = options.broken;
    output.on('error', this.#failed);
    output.on('close', this.#closed);
  }

  /** True once nothing is written any more. */
  get over(): boolean {
    return this.#over;
  }

  /** Characters that were given and not handed to the system yet. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Calls `taken` once, as soon as the backlog is at most `most`; never when nothing is written any more. */
  onTaken(most: number, taken: () => void): void {
    this.#waiting.push({ most, taken });
    this.#tellTaken();
  }

  /** Adds a line, given without its newline. After the end it does nothing. */
  send(line: string): void {
    if (this.#over) return;
    this.#lines.push(line);
    this.#size += line.length;
    this.#backlog += line.length + 1;
    if (this.#full) return;
    // An immediate runs after all that this turn's input has led to, so that its answers leave together.
    if (this.#size < enough) this.#scheduled ??= setImmediate(this.#run);
    else this.#run();
  }

  /** Resolves when all lines are handed to the system, or when that has become impossible. */
  flush(): Promise<void> {
    this.#run();
    if (this.#isIdle()) return Promise.resolve();
    return new Promise(resolve => this.#idle.push(resolve));
  }

  /** Drops what is not written yet and lets go of the stream. Safe to call twice. */
  stop(): void {
    this.#over = true;
    this.#lines = [];
    this.#size = 0;
    this.#backlog = 0;
    this.#waiting = [];
    clearImmediate(this.#scheduled);
    this.#output.off('drain', this.#resume);
    this.#output.off('close', this.#closed);
    this.#settle();
  }

  readonly #run = (): void => {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    while (this.#lines.length > 0 && !this.#full && !this.#over) this.#put(this.#nextText());
  };

  #nextText(): string {
    const taken = this.#size < joinLimit ? this.#lines : this.#lines.slice(0, this.#fitting());
    this.#lines = taken === this.#lines ? [] : this.#lines.slice(taken.length);
    taken.push('');
    const text = taken.join('\n');
    this.#size -= text.length - taken.length + 1;
    return text;
  }

  /** How many of the lines go into one write. */
  #fitting(): number {
    let size = 0;
    return (
      1 +
      this.#lines.findIndex(line => {
        size += line.length;
        return size >= joinLimit;
      })
    );
  }

  #put(text: string): void {
    this.#unconfirmed += 1;
    const { length } = text;
    const confirmed = (error?: Error | null): void => this.#confirmed(length, error);
    try {
      if (this.#write(text, confirmed)) return;
      if (this.#output.destroyed || this.#over) return;
      this.#full = true;
      this.#output.once('drain', this.#resume);
    } catch (error) {
      confirmed(error as Error);
    }
  }

  #confirmed(length: number, error: Error | null | undefined): void {
    this.#unconfirmed -= 1;
    if (!this.#over) this.#backlog -= length;
    if (error) this.#failed(error);
    this.#settle();
  }

  readonly #resume = (): void => {
    this.#full = false;
    this.#run();
  };

  readonly #closed = (): void => this.#failed(new Error('the output was closed'));

  readonly #failed = (error: Error): void => {
    this.#hasFailed = true;
    if (this.#over) return;
    this.stop();
    this.#broken(error);
  };

  #isIdle(): boolean {
    return this.#over || (this.#lines.length === 0 && this.#unconfirmed === 0);
  }

  #tellTaken(): void {
    if (this.#waiting.length === 0 || this.#over) return;
    const due = this.#waiting.filter(({ most }) => this.#backlog <= most);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter(({ most }) => this.#backlog > most);
    for (const { taken } of due) taken();
  }

  #settle(): void {
    // While a write is on its way, and on a stream that has failed, an error may still follow: without a listener it
    // would end the process.
    if (this.#over && this.#unconfirmed === 0 && !this.#hasFailed) this.#output.off('error', this.#failed);
    this.#tellTaken();
    if (!this.#isIdle()) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
