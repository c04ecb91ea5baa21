/** One request and its reply stream: a POST, and where the era can, the rest of a broken stream fetched again. */
import type { Timer } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { printMessage } from '../basics/json.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Request } from '../rpc/message.ts';
import { codes } from '../rpc/protocol-error.ts';
import type { ReplyHead, SendOptions } from './channel.ts';
import { answers, errorOf, withoutSecrets } from './http-client-answer.ts';
import { ReplyBody } from './http-client-body.ts';
import { failureOfReply, restLost, streamEnded, tooLong, unusableReply } from './http-client-failures.ts';
import { backoff, type HttpSeat, plan, postHeaders, streamHeaders } from './http-client-seat.ts';
import type { Trip, TripListener } from './http-client-trip.ts';
import type { TransportFault } from './http-transport.ts';

/** Attempts in a row that brought nothing new before a broken stream is given up. */
const mostFailures = 5;
const longestWait = 30_000;
/** How much of a reply that refuses is read. */
const refusalLimit = 1024 * 1024;

/** Told of what happens to an exchange; `answered` comes before `over`. */
export interface PostEvents {
  /** The answer came; what little of the stream is left may be dropped some time later. */
  answered(post: Post): void;
  /** Nothing more will come of it. */
  over(post: Post): void;
}

export class Post implements TripListener {
  readonly request: Request;
  readonly #seat: HttpSeat;
  readonly #options: SendOptions | undefined;
  readonly #events: PostEvents;
  #trip: Trip | undefined;
  #head: ReplyHead | undefined;
  #body: ReplyBody | undefined;
  #timer: Timer | undefined;
  #done = false;
  #answered = false;
  #failures = 0;
  /** Streams in a row that brought no message. */
  #empty = 0;
  #resuming = false;
  #lastEventId: string | undefined;
  #retry: number | undefined;
  /** What an error answer said that is not handed on. */
  #refusal = '';

  constructor(seat: HttpSeat, request: Request, options: SendOptions | undefined, events: PostEvents) {
    this.#seat = seat;
    this.request = request;
    this.#options = options;
    this.#events = events;
  }

  begin(): void {
    if (this.#done) return;
    let body: string;
    try {
      body = printMessage(this.request);
    } catch (error) {
      this.#unprintable(messageOf(error));
      return;
    }
    const { method } = this.request;
    this.#start({
      verb: 'POST',
      url: this.#seat.settings.url,
      required: postHeaders,
      headers: this.#options?.headers,
      body,
      rpcMethod: method,
      waits: true,
      phase: method,
    });
  }

  /** Drops whatever is still open, without a word to the receiver. */
  abort(): void {
    if (this.#done) return;
    this.#done = true;
    this.#timer?.cancel();
    this.#trip?.drop();
    this.#events.over(this);
  }

  /** Ends what has its answer. */
  settle(): void {
    if (this.#done) return;
    this.#trip?.drop();
    this.#finish();
  }

  head(head: ReplyHead): void {
    if (this.#done) return;
    this.#head = head;
    const limit = isFine(head) ? this.#seat.settings.replyLimit : refusalLimit;
    if (!this.#resuming) this.#seat.receiver.reply?.(this.request.id, head);
    if (this.#done) return;
    this.#body = new ReplyBody(
      head,
      {
        message: value => this.#message(value),
        touched: () => this.#seat.receiver.touched?.(this.request.id),
        skipped: (reason, text) => this.#skipped(reason, text),
      },
      limit,
    );
  }

  data(chunk: Uint8Array): void {
    if (this.#done || !this.#head) return;
    if (this.#body?.push(chunk) !== false) return;
    this.#trip?.drop();
    const facts = this.#trip?.facts;
    if (!facts) return;
    if (isFine(this.#head)) this.#fail(tooLong(facts, this.#head, this.#seat.settings.replyLimit));
    else this.#fail(failureOfReply(facts, this.#head, this.#body.peek()));
  }

  end(): void {
    const body = this.#body;
    const head = this.#head;
    if (this.#done || !body || !head || !this.#trip) return;
    const end = body.end();
    if (this.#done) return;
    const { facts } = this.#trip;
    if (this.#answered) this.#finish();
    else if (!isFine(head)) {
      this.#refused(failureOfReply(facts, head, this.#refusal || (end.kind === 'other' ? end.text : '')));
    } else if (end.kind === 'stream') this.#broken(streamEnded(facts, head));
    else this.#fail(unusableReply(facts, head, end.kind === 'other' ? end.text : undefined));
  }

  failed(error: ConnectionError, fault?: TransportFault): void {
    if (this.#done) return;
    if (this.#answered) this.#finish();
    else if (!fault || !this.#head || !this.#trip) {
      if (this.#resuming) this.#broken(error);
      else this.#fail(error);
    } else this.#broken(streamEnded(this.#trip.facts, this.#head, fault));
  }

  #refused(error: ConnectionError): void {
    if (this.#resuming && error.retryable) this.#broken(error);
    else this.#fail(error);
  }

  #start(errand: Parameters<typeof plan>[1]): void {
    this.#head = undefined;
    this.#body = undefined;
    this.#trip = plan(this.#seat, errand, this);
    this.#trip.begin();
  }

  #message(value: unknown): void {
    if (this.#done || !this.#head) return;
    const { id } = this.request;
    const { receiver } = this.#seat;
    if (isFine(this.#head)) {
      const whole = this.#body?.isStream === true || answers(value, id) ? undefined : errorOf(value);
      if (whole) {
        this.#answerWith(whole);
        return;
      }
      receiver.message(withoutSecrets(value, this.#trip), id);
      if (!answers(value, id) || this.#answered || this.#done) return;
      this.#answered = true;
      if (this.#body?.isStream === true) this.#events.answered(this);
      return;
    }
    const error = errorOf(value);
    if (error === undefined || this.#resuming) {
      this.#refusal = JSON.stringify(value).slice(0, 1000);
      return;
    }
    // Who may not come in is the business of whoever holds the credentials, whatever the body says.
    if (this.#head.status === 401 || this.#head.status === 403) {
      this.#refusal = messageOf((error as { readonly message?: unknown }).message ?? '');
      return;
    }
    this.#answerWith(error);
  }

  /** Some servers make an id up when they refuse a request unread; what is the whole reply can only be meant for it. */
  #answerWith(error: object): void {
    const { id } = this.request;
    this.#answered = true;
    this.#seat.receiver.message(withoutSecrets({ jsonrpc: '2.0', id, error }, this.#trip), id);
  }

  /** Fetches the rest, where the era knows how and an event named the place. */
  #broken(error: ConnectionError): void {
    const { resume } = this.#options ?? {};
    const body = this.#body;
    if (body?.progressed === true) this.#failures = 0;
    else if (this.#resuming) this.#failures += 1;
    this.#lastEventId = body?.lastEventId ?? this.#lastEventId;
    this.#retry = body?.retry ?? this.#retry;
    this.#empty = body?.brought === true ? 0 : this.#empty + 1;
    const place = this.#lastEventId;
    const isPlace = place !== undefined && canBeHeader(place);
    if (!resume || !isPlace || this.#failures >= mostFailures) {
      this.#fail(error);
      return;
    }
    const headers = resume(place);
    if (!headers) {
      this.#fail(error);
      return;
    }
    this.#resuming = true;
    const { clock, settings } = this.#seat;
    const wait = backoff(this.#failures, this.#empty, this.#retry, longestWait);
    this.#timer = clock.after(
      wait,
      () => {
        const { url } = settings;
        const phase = this.request.method;
        this.#start({ verb: 'GET', url, required: streamHeaders, headers, waits: false, phase });
      },
      true,
    );
  }

  #fail(error: ConnectionError): void {
    if (this.#done) return;
    this.#done = true;
    this.#timer?.cancel();
    // Where only the rest of a stream is lost, the request itself may have been carried out.
    this.#seat.receiver.ended(this.request.id, this.#resuming ? restLost(error) : error);
    this.#events.over(this);
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#seat.receiver.ended(this.request.id);
    this.#events.over(this);
  }

  #skipped(reason: string, text: string): void {
    const message = `skipped an event of the reply to ${this.request.method} that is not JSON (${reason})`;
    this.#seat.receiver.diagnostic({ kind: 'unreadable-event', message, data: text.slice(0, 200) });
  }

  /** What there is no JSON for concerns this request alone: it is answered in the peer's place. */
  #unprintable(why: string): void {
    queueMicrotask(() => {
      if (this.#done) return;
      const { id } = this.request;
      const message = `the message was not sent: it ${why}`;
      this.#seat.receiver.message({ jsonrpc: '2.0', id, error: { code: codes.internalError, message } }, id);
      this.#finish();
    });
  }
}

function isFine({ status }: ReplyHead): boolean {
  return status >= 200 && status < 300;
}

/** Bytes above latin-1 and control characters cannot travel in a header. */
function canBeHeader(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
