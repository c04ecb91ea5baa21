/** The older way over HTTP: one event stream for all that the server says, and an endpoint of its own for what it is told. */

import { onAbort } from '../basics/abort.ts';
import type { Timer } from '../basics/clock.ts';
import { messageOf, TenonError } from '../basics/failure.ts';
import { parseJson, printMessage } from '../basics/json.ts';
import { SseDecoder } from '../basics/sse.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import type { Message } from '../rpc/message.ts';
import { codes } from '../rpc/protocol-error.ts';
import type { Connection, OpenOptions, Receiver, ReplyHead, SendOptions } from './channel.ts';
import { errorOf, withoutSecrets } from './http-client-answer.ts';
import { isStreamReply } from './http-client-body.ts';
import { closedHere, failureOfReply, streamEnded, tooLong } from './http-client-failures.ts';
import { type HttpSettings, showUrl } from './http-client-options.ts';
import { type HttpSeat, plan, postHeaders, streamHeaders } from './http-client-seat.ts';
import type { Trip, TripListener } from './http-client-trip.ts';
import { standInFor } from './unread-answer.ts';

/** How long what is sent waits for what was sent before to be taken. */
const orderWait = 1000;
const refusalLimit = 16_384;

/** Opens the stream and waits for the endpoint that it names. */
export function openEvents(
  settings: HttpSettings,
  receiver: Receiver,
  { signal, clock }: OpenOptions,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const seat: HttpSeat = { settings, transport: settings.transport(), receiver, clock };
    let stop = (): void => {};
    const connection = new EventsConnection(seat, {
      ready: () => {
        stop();
        resolve(connection);
      },
      refused: error => {
        stop();
        seat.transport.close();
        reject(error);
      },
    });
    if (signal) stop = onAbort(signal, () => connection.giveUp(signal.reason));
    connection.begin();
  });
}

interface Opening {
  ready(): void;
  refused(error: unknown): void;
}

class EventsConnection implements Connection, TripListener {
  readonly replyStreams: boolean = false;
  readonly #seat: HttpSeat;
  readonly #trip: Trip;
  readonly #events: SseDecoder;
  readonly #posts = new Set<Trip>();
  readonly #queue: (() => void)[] = [];
  #opening: Opening | undefined;
  #head: ReplyHead | undefined;
  #endpoint: string | undefined;
  #under: Timer | undefined;
  #closed = false;

  constructor(seat: HttpSeat, opening: Opening) {
    this.#seat = seat;
    this.#opening = opening;
    this.#events = new SseDecoder({ maxBytes: seat.settings.replyLimit });
    const { url } = seat.settings;
    const errand = { verb: 'GET', url, required: streamHeaders, waits: false, phase: 'connect' } as const;
    this.#trip = plan(seat, errand, this);
  }

  begin(): void {
    this.#trip.begin();
  }

  giveUp(reason: unknown): void {
    this.#trip.drop();
    this.#refuse(reason);
  }

  send(message: Message, options?: SendOptions): void {
    if (this.#closed) return;
    if (this.#under) this.#queue.push(() => this.#post(message, options));
    else this.#post(message, options);
  }

  abandon(): void {}

  close(): Promise<void> {
    this.#finish(closedHere(this.#seat.settings.label));
    return Promise.resolve();
  }

  head(head: ReplyHead): void {
    this.#head = head;
    if (head.status >= 200 && head.status < 300 && isStreamReply(head)) return;
    this.#trip.drop();
    this.#refuse(failureOfReply(this.#trip.facts, head, ''));
  }

  data(chunk: Uint8Array): void {
    if (this.#closed || !this.#head) return;
    try {
      for (const { event, data } of this.#events.push(chunk)) {
        if (event === 'endpoint') this.#namesEndpoint(data.trim());
        else if (event === 'message' && data.trim() !== '') this.#message(data);
      }
    } catch (error) {
      if (!(error instanceof TenonError)) throw error;
      this.#finish(tooLong(this.#trip.facts, this.#head, this.#seat.settings.replyLimit));
    }
  }

  end(): void {
    if (this.#head) this.#finish(streamEnded(this.#trip.facts, this.#head));
  }

  failed(error: ConnectionError): void {
    this.#finish(error);
  }

  /** A relative address counts from the stream's own; another origin is not to have what we send. */
  #namesEndpoint(text: string): void {
    if (this.#endpoint !== undefined) return;
    const { url, origin } = this.#seat.settings;
    const endpoint = URL.canParse(text, url) ? new URL(text, url) : undefined;
    if (endpoint?.origin === origin) {
      this.#endpoint = endpoint.href;
      const { ready } = this.#opening ?? {};
      this.#opening = undefined;
      ready?.();
      return;
    }
    const named = endpoint ? showUrl(endpoint) : 'what is no URL';
    this.#finish(
      new ConnectionError(
        `GET ${showUrl(url)}: the server names ${named} as its endpoint, which is not used`,
        {
          phase: 'connect',
          reason: 'foreign-endpoint',
          outcome: 'failed',
          hint: 'The endpoint must be of the same origin as the stream.',
        },
      ),
    );
  }

  #message(data: string): void {
    if (this.#closed) return;
    const parsed = parseJson(data);
    if (parsed.ok) this.#seat.receiver.message(withoutSecrets(parsed.value, this.#trip));
    else {
      const message = `skipped an event that is not JSON (${parsed.reason})`;
      this.#seat.receiver.diagnostic({ kind: 'unreadable-event', message, data: data.slice(0, 200) });
      const answer = standInFor(data, parsed.reason);
      if (answer !== undefined) this.#seat.receiver.message(answer);
    }
  }

  /** In order: each waits until the one before was taken, within reason. */
  #post(message: Message, options: SendOptions | undefined): void {
    if (this.#closed) return;
    const method = 'method' in message ? message.method : undefined;
    let body: string;
    try {
      body = printMessage(message);
    } catch (error) {
      this.#answerFor(message, `the message was not sent: it ${messageOf(error)}`);
      this.#next();
      return;
    }
    let head: ReplyHead | undefined;
    let text = '';
    const decoder = new TextDecoder();
    const errand = {
      verb: 'POST',
      url: this.#endpoint ?? this.#seat.settings.url,
      required: postHeaders,
      headers: options?.headers,
      body,
      rpcMethod: method,
      waits: false,
      phase: method ?? 'answer',
    } as const;
    const taken = (): void => {
      if (this.#under === timer) this.#next();
    };
    const over = (error?: ConnectionError): void => {
      this.#posts.delete(trip);
      if (error) this.#failedToSend(message, error, text);
      taken();
    };
    const trip = plan(this.#seat, errand, {
      head: found => {
        head = found;
        if (found.status < 300) taken();
      },
      data: chunk => {
        if (text.length < refusalLimit) text += decoder.decode(chunk, { stream: true });
      },
      end: () => over(head && head.status >= 300 ? failureOfReply(trip.facts, head, text) : undefined),
      failed: over,
    });
    this.#posts.add(trip);
    const timer = this.#seat.clock.after(orderWait, taken);
    this.#under = timer;
    trip.begin();
  }

  #next(): void {
    this.#under?.cancel();
    this.#under = undefined;
    this.#queue.shift()?.();
  }

  /** A refusal concerns one message: who waits for its answer is told, with the server's own error if it gave one. */
  #failedToSend(message: Message, error: ConnectionError, text: string): void {
    if (this.#closed) return;
    const { receiver } = this.#seat;
    if ('method' in message && 'id' in message) {
      const parsed = parseJson(text);
      const given = parsed.ok ? errorOf(parsed.value) : undefined;
      if (given)
        receiver.message(withoutSecrets({ jsonrpc: '2.0', id: message.id, error: given }, this.#trip));
      else receiver.ended(message.id as string | number, error);
    } else receiver.diagnostic({ kind: 'not-delivered', message: error.message });
  }

  #answerFor(message: Message, why: string): void {
    const { receiver } = this.#seat;
    const id = 'id' in message ? message.id : null;
    if (!('method' in message) || id === null) {
      receiver.diagnostic({ kind: 'unprintable-message', message: why });
      return;
    }
    queueMicrotask(() => {
      if (!this.#closed)
        receiver.message({ jsonrpc: '2.0', id, error: { code: codes.internalError, message: why } });
    });
  }

  #refuse(error: unknown): void {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#closed = true;
    opening?.refused(error);
  }

  #finish(error: ConnectionError): void {
    if (this.#closed) return;
    if (this.#opening) {
      this.#trip.drop();
      this.#refuse(error);
      return;
    }
    this.#closed = true;
    this.#under?.cancel();
    this.#queue.length = 0;
    this.#trip.drop();
    for (const trip of [...this.#posts]) trip.drop();
    this.#seat.receiver.closed(error);
    this.#seat.transport.close();
  }
}
