/** Server-sent events out of bytes: any line ends, split anywhere, bounded, in time linear in their length. */
import { TenonError } from './failure.ts';

/** One event. A block with nothing but an id or a retry time is an event too, with empty data. */
export interface SseEvent {
  /** `message` unless the stream said otherwise. */
  readonly event: string;
  readonly data: string;
  readonly id?: string;
  /** Milliseconds after which the sender wants a lost stream to be opened again. */
  readonly retry?: number;
}

export interface SseOptions {
  /** Most bytes of one event; 32 MiB unless set. */
  readonly maxBytes?: number;
}

const lf = 10;
const cr = 13;
/** Keeps byte order marks: only the first one of a stream is none of its text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Takes a stream piece by piece. Throws a TenonError when an event grows beyond the limit; then it is of no use. */
export class SseDecoder {
  readonly #maxBytes: number;
  /** Pieces of the line that is not complete yet. */
  #line: Uint8Array[] = [];
  #bytes = 0;
  #afterCr = false;
  #first = true;
  #data: string[] | undefined;
  #event = '';
  #id: string | undefined;
  #retry: number | undefined;

  constructor(options: SseOptions = {}) {
    this.#maxBytes = options.maxBytes ?? 32 * 1024 * 1024;
  }

  /** Bytes of the event that is not complete yet. */
  get pending(): number {
    return this.#bytes;
  }

  /** The events that this piece completes. */
  push(chunk: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    // The LF of a CRLF whose CR ended the last piece.
    if (this.#afterCr && chunk[0] === lf) start = 1;
    if (chunk.length > 0) this.#afterCr = false;
    let nextLf = chunk.indexOf(lf, start);
    let nextCr = chunk.indexOf(cr, start);
    while (nextLf !== -1 || nextCr !== -1) {
      const isCr = nextCr !== -1 && (nextLf === -1 || nextCr < nextLf);
      const end = isCr ? nextCr : nextLf;
      this.#keep(chunk.subarray(start, end));
      this.#endLine(events);
      start = end + 1;
      if (isCr && start === chunk.length) this.#afterCr = true;
      else if (isCr && chunk[start] === lf) start += 1;
      if (nextLf !== -1 && nextLf < start) nextLf = chunk.indexOf(lf, start);
      if (nextCr !== -1 && nextCr < start) nextCr = chunk.indexOf(cr, start);
    }
    // A copy: the sender may use its buffer again.
    if (start < chunk.length) this.#keep(chunk.slice(start));
    return events;
  }

  /** The event that the stream ended in the middle of, for readers that accept one without its blank line. */
  end(): SseEvent | undefined {
    const events: SseEvent[] = [];
    if (this.#line.length > 0) this.#endLine(events);
    this.#endEvent(events);
    return events[0];
  }

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) {
      this.#line = [];
      this.#data = undefined;
      throw new TenonError(`an event of the stream is longer than ${this.#maxBytes} bytes`);
    }
    if (piece.length > 0) this.#line.push(piece);
  }

  #endLine(events: SseEvent[]): void {
    const [only, ...more] = this.#line;
    this.#line = [];
    let line = only === undefined ? '' : decoder.decode(more.length === 0 ? only : join([only, ...more]));
    if (this.#first && line.startsWith('\uFEFF')) line = line.slice(1);
    this.#first = false;
    if (line === '') this.#endEvent(events);
    else this.#field(line);
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) {
      // A comment keeps the connection alive and is part of no event.
      if (this.#data === undefined) this.#bytes = 0;
      return;
    }
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') {
      this.#data ??= [];
      this.#data.push(value);
    } else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^[0-9]{1,15}$/.test(value)) this.#retry = Number(value);
  }

  #endEvent(events: SseEvent[]): void {
    const data = this.#data;
    const id = this.#id;
    const retry = this.#retry;
    if (data !== undefined || id !== undefined || retry !== undefined) {
      events.push({
        event: this.#event === '' ? 'message' : this.#event,
        data: data === undefined ? '' : data.join('\n'),
        ...(id === undefined ? {} : { id }),
        ...(retry === undefined ? {} : { retry }),
      });
    }
    this.#data = undefined;
    this.#event = '';
    this.#id = undefined;
    this.#retry = undefined;
    this.#bytes = 0;
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
