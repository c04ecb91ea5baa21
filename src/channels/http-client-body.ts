/** The body of a reply taken apart: one JSON text, or events, told apart by media type and else by how it begins. */
import { parseJson } from '../basics/json.ts';
import { SseDecoder } from '../basics/sse.ts';
import type { ReplyHead } from './channel.ts';

/** Where the contents of a body go. */
export interface BodySink {
  /** One parsed JSON value. */
  message(value: unknown): void;
  /** Bytes came that belong to a message. */
  touched(): void;
  /** An event could not be read and was skipped. */
  skipped(reason: string, text: string): void;
}

/** What a body turned out to be, once it has ended. */
export type BodyEnd =
  | { readonly kind: 'stream' }
  /** One JSON text, handed over. */
  | { readonly kind: 'json' }
  /** Nothing that can be read; its beginning. */
  | { readonly kind: 'other'; readonly text: string };

/** How much of a body that nobody can read is kept. */
const keptText = 16_384;
const utf8 = new TextDecoder();

export class ReplyBody {
  readonly #sink: BodySink;
  readonly #limit: number;
  #form: 'json' | 'stream' | 'unknown';
  #events: SseDecoder | undefined;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The id of the last event that had one. */
  lastEventId: string | undefined;
  /** Milliseconds after which the server wants a lost stream to be fetched again. */
  retry: number | undefined;
  /** Whether anything but comments came. */
  progressed = false;
  /** Whether a message came. */
  brought = false;

  constructor(head: ReplyHead, sink: BodySink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
    this.#form = formOf(head.header('content-type'));
  }

  get isStream(): boolean {
    return this.#form === 'stream';
  }

  /** False when the body has grown beyond the limit; it is of no use then. */
  push(chunk: Uint8Array): boolean {
    if (this.#form === 'stream') return this.#pushEvents(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) return false;
    this.#pieces.push(chunk);
    this.#sink.touched();
    return this.#form === 'json' || this.#sniff();
  }

  end(): BodyEnd {
    if (this.#form === 'stream') {
      // A last event without its blank line is common enough, and complete when it can be read.
      const last = this.#events?.end();
      if (last) this.#event(last.event, last.data, last.id, last.retry, true);
      return { kind: 'stream' };
    }
    const [only, ...more] = this.#pieces;
    const whole = only && more.length === 0 ? only : join(this.#pieces, this.#bytes);
    this.#pieces = [];
    const parsed = parseJson(utf8.decode(whole));
    if (parsed.ok) {
      this.#sink.message(parsed.value);
      return { kind: 'json' };
    }
    return { kind: 'other', text: utf8.decode(whole.subarray(0, keptText)) };
  }

  /** What there is so far of a body that broke off. */
  peek(): string {
    return utf8.decode(join(this.#pieces, this.#bytes).subarray(0, keptText));
  }

  /** A body of no known type is JSON unless it begins as events do. */
  #sniff(): boolean {
    const begin = utf8.decode(join(this.#pieces, this.#bytes).subarray(0, 64)).trimStart();
    if (begin.length < 6 && !begin.startsWith(':') && /^[a-z]*:?$/.test(begin)) return true;
    if (!/^(:|(data|event|id|retry):)/.test(begin)) {
      this.#form = 'json';
      return true;
    }
    this.#form = 'stream';
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.every(piece => this.#pushEvents(piece));
  }

  #pushEvents(chunk: Uint8Array): boolean {
    this.#events ??= new SseDecoder({ maxBytes: this.#limit });
    try {
      const events = this.#events.push(chunk);
      if (this.#events.pending > 0) this.#sink.touched();
      for (const { event, data, id, retry } of events) this.#event(event, data, id, retry);
      return true;
    } catch {
      return false;
    }
  }

  #event(event: string, data: string, id: string | undefined, retry: number | undefined, last = false): void {
    if (retry !== undefined) this.retry = retry;
    // Events that carry nothing prime a stream or keep it open.
    if (event === 'message' && data.trim() !== '') {
      const parsed = parseJson(data);
      if (parsed.ok) {
        this.progressed = true;
        this.brought = true;
        this.#sink.touched();
        if (id !== undefined) this.lastEventId = id;
        this.#sink.message(parsed.value);
        return;
      }
      // What was cut off within an event is to come again.
      if (last) return;
      this.#sink.skipped(parsed.reason, data);
    }
    if (id === undefined) return;
    this.progressed = true;
    this.lastEventId = id;
  }
}

/** By the parsed media type: `text/plain; a=application/json` is no JSON. */
function formOf(contentType: string | undefined): 'json' | 'stream' | 'unknown' {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return 'stream';
  return type === 'application/json' || type.endsWith('+json') ? 'json' : 'unknown';
}

/** Whether a reply is an event stream by its type. */
export function isStreamReply(head: ReplyHead): boolean {
  return formOf(head.header('content-type')) === 'stream';
}

function join(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
