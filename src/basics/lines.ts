/** Bytes to lines: newline framing in linear time, with a limit per line, that survives whatever arrives. */

/** A line that could not be delivered. */
export interface LineFault {
  readonly kind: 'too-long' | 'not-utf8';
  /** How long the line is; for `too-long`, what had arrived of it when the limit was passed. */
  readonly bytes: number;
  /** The line's beginning: at most 80 printable characters. */
  readonly sample: string;
}

/** Where lines go. Neither function may throw. */
export interface LineSplitterOptions {
  /** The most bytes a line may have, its newline not counted. */
  readonly limit: number;
  line(text: string, bytes: number): void;
  fault(fault: LineFault): void;
}

const newline = 10;
const carriageReturn = 13;
const byteOrderMark = 0xfeff;

/** Pieces below this size are copied together, so that a line sent byte by byte costs its bytes and no more. */
const small = 4096;
const blockSize = 65_536;

/** Of so many bytes at most several lines are decoded at once. */
const batch = 1_048_576;

/**
 * Splits bytes at LF or CRLF. Blank lines are skipped, a byte order mark before a line is dropped, each line
 * is decoded by itself, so one that is not UTF-8 or too long is a fault and the next one is delivered.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  readonly #strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  /** What has arrived of the unfinished line: whole pieces, then the block that small pieces are copied into. */
  #pieces: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  #blockUsed = 0;
  #size = 0;
  #discarding = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Takes the next bytes; delivers every line they complete before it returns. Keeps no more than a line. */
  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#size > 0) {
      const at = chunk.indexOf(newline);
      if (at === -1) {
        this.#keep(chunk);
        return;
      }
      this.#finish(chunk.subarray(0, at));
      start = at + 1;
      if (start === chunk.length) return;
    }
    const end = chunk.lastIndexOf(newline) + 1;
    if (start < end && this.#together(chunk.subarray(start, end))) start = end;
    while (start < end) {
      const at = chunk.indexOf(newline, start);
      this.#deliver(chunk.subarray(start, at));
      start = at + 1;
    }
    if (start < chunk.length) this.#keep(start === 0 ? chunk : chunk.subarray(start));
  }

  /**
   * Whole lines of plain ASCII, decoded at once: to decode each costs more than the rest. False when they have to be
   * looked at one by one, and none was delivered.
   */
  #together(lines: Uint8Array): boolean {
    if (lines.length > Math.min(batch, this.#options.limit)) return false;
    let text: string;
    try {
      text = this.#strict.decode(lines);
    } catch {
      return false;
    }
    // As many characters as bytes: each is one byte.
    if (text.length !== lines.length) return false;
    // No loop of ours: V8 would compile it, and all that a line leads to, while it runs, and once more afterwards.
    text.split('\n').forEach(this.#ascii);
    return true;
  }

  readonly #ascii = (line: string): void => {
    const last = line.length - 1;
    if (last < 0) return;
    // What nearly every line is goes the shortest way: it begins with a sign and ends with one.
    if (line.charCodeAt(0) > 32 && line.charCodeAt(last) > 32) this.#options.line(line, line.length);
    else if (line.charCodeAt(last) !== carriageReturn) this.#line(line, line.length);
    else if (last > 0) this.#line(line.slice(0, last), last);
  };

  #line(text: string, bytes: number): void {
    const code = text.charCodeAt(0);
    // NUL and its like are no white space: such a line is delivered, to be refused as JSON.
    if ((code <= 32 || code === byteOrderMark) && text.trim() === '') return;
    this.#options.line(code === byteOrderMark ? text.slice(1) : text, bytes);
  }

  /**
   * The bytes have ended: delivers what stands behind the last newline as a line of its own. Returns how many bytes
   * that was, 0 when the last line was complete.
   */
  end(): number {
    const left = this.#size;
    if (left > 0) this.#finish(new Uint8Array(0));
    return left;
  }

  #keep(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#discarding) return;
    if (piece.length < small) this.#copy(piece);
    else {
      this.#closeBlock();
      this.#pieces.push(piece);
    }
    // One byte more may be the CR of a newline whose LF is still to come.
    const { limit } = this.#options;
    if (this.#size > limit + 1 || (this.#size > limit && piece.at(-1) !== carriageReturn)) {
      const beginning = this.#join(1024);
      this.#forget();
      this.#discarding = true;
      this.#tooLong(beginning, this.#size);
    }
  }

  #copy(piece: Uint8Array): void {
    if (this.#block === undefined || this.#blockUsed + piece.length > this.#block.length) {
      this.#closeBlock();
      // The first block fits what is usual, the beginning of one more message.
      this.#block = new Uint8Array(this.#pieces.length === 0 ? small : blockSize);
    }
    this.#block.set(piece, this.#blockUsed);
    this.#blockUsed += piece.length;
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#pieces.push(this.#block.subarray(0, this.#blockUsed));
    this.#block = undefined;
    this.#blockUsed = 0;
  }

  #finish(rest: Uint8Array): void {
    if (rest.length > 0) this.#keep(rest);
    const discarded = this.#discarding;
    const line = discarded ? undefined : this.#join(this.#size);
    this.#forget();
    this.#size = 0;
    this.#discarding = false;
    if (line !== undefined) this.#deliver(line);
  }

  #forget(): void {
    this.#pieces = [];
    this.#block = undefined;
    this.#blockUsed = 0;
  }

  /** The first `length` bytes of what is kept, or all when there are fewer. */
  #join(length: number): Uint8Array {
    this.#closeBlock();
    const [only] = this.#pieces;
    if (only !== undefined && this.#pieces.length === 1) return only.subarray(0, length);
    const joined = new Uint8Array(Math.min(length, this.#size));
    let used = 0;
    for (const piece of this.#pieces) {
      if (used === joined.length) break;
      const part = piece.subarray(0, joined.length - used);
      joined.set(part, used);
      used += part.length;
    }
    return joined;
  }

  #deliver(raw: Uint8Array): void {
    const bytes = raw.at(-1) === carriageReturn ? raw.length - 1 : raw.length;
    if (bytes === 0) return;
    if (bytes > this.#options.limit) {
      this.#tooLong(raw, bytes);
      return;
    }
    const line = bytes === raw.length ? raw : raw.subarray(0, bytes);
    let text: string;
    try {
      text = this.#strict.decode(line);
    } catch {
      this.#options.fault({ kind: 'not-utf8', bytes, sample: sampleOf(line) });
      return;
    }
    this.#line(text, bytes);
  }

  #tooLong(line: Uint8Array, bytes: number): void {
    this.#options.fault({ kind: 'too-long', bytes, sample: sampleOf(line) });
  }
}

/** What can be shown of a line: its first printable characters. */
function sampleOf(line: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(line.subarray(0, 1024), { stream: true });
  // Written so that no bundler makes a literal of it: V8 gathers the characters of literals when it reads a file.
  const unprintable = ['C', 'Zl', 'Zp'].map(category => `\\p{${category}}`).join('|');
  return Array.from(text.replace(new RegExp(unprintable, 'gu'), ''))
    .slice(0, 80)
    .join('');
}
