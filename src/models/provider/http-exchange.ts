/** One POST to a provider and its answer: bounded, cut short by silence or an abort, and always given free. */
import { linkAbort, raceAbort } from '../../basics/abort.ts';
import type { Clock, Timer } from '../../basics/clock.ts';
import { messageOf } from '../../basics/failure.ts';
import { redact } from '../../basics/redact.ts';
import { TimeoutError } from '../../basics/timeout-error.ts';
import { ModelError } from '../model-error.ts';

export interface PostFacts {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly fetch: typeof fetch;
  /** Milliseconds to wait for the answer, and from one piece of it to the next. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** For messages. */
  readonly provider: string;
  /** Masked in messages. */
  readonly secrets: readonly string[];
}

/** How long the rest of an answer that is complete is waited for, so that its connection can be used again. */
const drainTime = 250;

/** An answer that is being read. Must be closed. */
export class HttpExchange {
  readonly #facts: PostFacts;
  readonly #controller = new AbortController();
  readonly #silence: Silence;
  readonly #unlink: () => void;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #ended = false;
  status = 0;
  headers: Headers = new Headers();

  constructor(facts: PostFacts) {
    this.#facts = facts;
    this.#unlink = linkAbort([facts.signal], this.#controller);
    const { timeout: ms, clock, provider } = facts;
    this.#silence = new Silence(clock, ms, () => {
      const error = new TimeoutError(`${provider} sent nothing for ${ms} ms`, {
        phase: 'model request',
        limit: 'idle',
        ms,
      });
      this.#controller.abort(error);
    });
  }

  /** Sends, and waits for the head of the answer. Redirects are not followed: they would carry the key elsewhere. */
  async send(): Promise<void> {
    const { url, headers, body, fetch } = this.#facts;
    const { signal } = this.#controller;
    await this.#guard(async () => {
      const sent = fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      const response = await raceAbort(sent, signal).catch((error: unknown) => {
        // One that ignores the signal may still bring a body that nobody reads.
        sent.then(late => late.body?.cancel()).catch(() => undefined);
        throw error;
      });
      this.status = response.status;
      this.headers = response.headers;
      this.#reader = response.body?.getReader();
    });
  }

  /** The next piece of the body; `undefined` at its end. */
  async read(): Promise<Uint8Array | undefined> {
    const reader = this.#reader;
    if (reader === undefined || this.#ended) return undefined;
    const { done, value } = await this.#guard(() => raceAbort(reader.read(), this.#controller.signal));
    if (done) this.#ended = true;
    return value;
  }

  /** The body as text, at most so many bytes of it. `whole` tells whether that was all. */
  async readText(
    maxBytes: number,
    head: readonly Uint8Array[] = [],
  ): Promise<{ text: string; whole: boolean }> {
    const decoder = new TextDecoder();
    const pieces: string[] = [];
    let bytes = 0;
    const add = (piece: Uint8Array): boolean => {
      const room = maxBytes - bytes;
      bytes += piece.length;
      pieces.push(decoder.decode(piece.length > room ? piece.subarray(0, room) : piece, { stream: true }));
      return bytes <= maxBytes;
    };
    let fits = head.every(add);
    while (fits) {
      const piece = await this.read();
      if (piece === undefined) break;
      fits = add(piece);
    }
    return { text: pieces.join(''), whole: fits };
  }

  /** Reads what little may still come after all that counts. */
  async drain(): Promise<void> {
    if (this.#ended || this.#reader === undefined) return;
    const timer = this.#facts.clock.after(drainTime, () => this.#controller.abort(), true);
    try {
      while ((await this.read()) !== undefined);
    } catch {
      // What counts was read; the connection is closed below.
    } finally {
      timer.cancel();
    }
  }

  /** Gives everything free. */
  close(): void {
    this.#silence.stop();
    this.#unlink();
    this.#reader?.cancel().catch(() => undefined);
    if (!this.#ended) this.#controller.abort();
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    const { signal, provider, secrets } = this.#facts;
    this.#silence.start();
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const { reason } = this.#controller.signal;
      if (reason instanceof TimeoutError) {
        throw new ModelError(reason.message, {
          kind: 'timeout',
          provider,
          retryable: true,
          cause: reason,
          hint: 'Raise timeout, or ask for less at once.',
        });
      }
      const why = redact(reasonOf(error), secrets);
      throw new ModelError(`${provider}: no answer from ${hostOf(this.#facts.url)}: ${why}`, {
        kind: 'transport',
        provider,
        retryable: true,
        cause: error,
        hint: 'Check that baseUrl is right and can be reached from here.',
      });
    } finally {
      this.#silence.pause();
    }
  }
}

/** Fires when a wait takes too long. One timer serves any number of waits: it is set again only when it fires. */
class Silence {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #onSilence: () => void;
  #timer: Timer | undefined;
  #since: number | undefined;

  constructor(clock: Clock, ms: number, onSilence: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#onSilence = onSilence;
  }

  start(): void {
    this.#since = this.#clock.now();
    if (this.#timer === undefined) this.#set(this.#ms);
  }

  /** While the reader is busy with what it got, silence is not the provider's. */
  pause(): void {
    this.#since = undefined;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #set(ms: number): void {
    this.#timer = this.#clock.after(
      ms,
      () => {
        const left = this.#since === undefined ? this.#ms : this.#since + this.#ms - this.#clock.now();
        if (left > 0) this.#set(left);
        else this.#onSilence();
      },
      true,
    );
  }
}

/** `fetch failed` says nothing; what is behind it does. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  const inner = cause instanceof Error ? cause : error;
  const { code } = inner as { readonly code?: unknown };
  const message = messageOf(inner);
  return typeof code === 'string' && !message.includes(code) ? `${code} ${message}` : message;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
