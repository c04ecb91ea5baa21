/** What is sent without waiting for an answer: notifications and responses, in order, and before what is asked after them. */
import type { Timer } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { printMessage } from '../basics/json.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Message } from '../rpc/message.ts';
import type { ReplyHead, SendOptions } from './channel.ts';
import { failureOfReply } from './http-client-failures.ts';
import { type HttpSeat, plan, postHeaders } from './http-client-seat.ts';
import type { Trip, TripListener } from './http-client-trip.ts';

/** How long what comes after waits for the acknowledgement of what came before. */
const orderWait = 1000;
/** How long an acknowledgement is waited for at all. */
const ackWait = 30_000;
const refusalLimit = 16_384;

/** Keeps the order that was sent in, as far as acknowledgements allow, although each message may take its own way. */
export class Deliveries {
  readonly #seat: HttpSeat;
  readonly #open = new Set<OneWayPost>();
  readonly #queue: (() => void)[] = [];
  /** The delivery that others wait for. */
  #first: OneWayPost | undefined;
  #timer: Timer | undefined;
  #closed = false;

  constructor(seat: HttpSeat) {
    this.#seat = seat;
  }

  /** Runs `departure` once what was sent before has been acknowledged; at once when nothing is under way. */
  after(departure: () => void): void {
    if (this.#first || this.#queue.length > 0) this.#queue.push(departure);
    else departure();
  }

  send(message: Message, options: SendOptions | undefined): void {
    this.after(() => this.#depart(message, options));
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#queue.length = 0;
    for (const delivery of [...this.#open]) delivery.drop();
    this.#open.clear();
  }

  #depart(message: Message, options: SendOptions | undefined): void {
    const delivery = new OneWayPost(this.#seat, message, options, {
      acknowledged: () => {
        if (this.#first === delivery) this.#next();
      },
      over: () => void this.#open.delete(delivery),
    });
    this.#open.add(delivery);
    this.#first = delivery;
    this.#timer = this.#seat.clock.after(orderWait, () => {
      if (this.#first === delivery) this.#next();
    });
    delivery.begin();
  }

  #next(): void {
    this.#first = undefined;
    this.#timer?.cancel();
    while (!this.#first && !this.#closed) {
      const departure = this.#queue.shift();
      if (!departure) return;
      departure();
    }
  }
}

/** One message under way; any 2xx acknowledges it, whatever comes with it. */
class OneWayPost implements TripListener {
  readonly #seat: HttpSeat;
  readonly #message: Message;
  readonly #options: SendOptions | undefined;
  readonly #events: { acknowledged(): void; over(): void };
  #trip: Trip | undefined;
  #timer: Timer | undefined;
  #head: ReplyHead | undefined;
  #refusal: Uint8Array[] = [];
  #bytes = 0;
  #done = false;

  constructor(
    seat: HttpSeat,
    message: Message,
    options: SendOptions | undefined,
    events: { acknowledged(): void; over(): void },
  ) {
    this.#seat = seat;
    this.#message = message;
    this.#options = options;
    this.#events = events;
  }

  begin(): void {
    let body: string;
    try {
      body = printMessage(this.#message);
    } catch (error) {
      this.#end(`it ${messageOf(error)}`);
      return;
    }
    const rpcMethod = 'method' in this.#message ? this.#message.method : undefined;
    this.#timer = this.#seat.clock.after(ackWait, () => {
      this.#trip?.drop();
      this.#end(`no acknowledgement came within ${ackWait} ms`);
    });
    const errand = {
      verb: 'POST',
      url: this.#seat.settings.url,
      required: postHeaders,
      headers: this.#options?.headers,
      body,
      rpcMethod,
      waits: false,
      phase: rpcMethod ?? 'answer',
    } as const;
    this.#trip = plan(this.#seat, errand, this);
    this.#trip.begin();
  }

  drop(): void {
    this.#done = true;
    this.#timer?.cancel();
    this.#trip?.drop();
  }

  head(head: ReplyHead): void {
    if (this.#done) return;
    this.#head = head;
    if (head.status < 300) this.#events.acknowledged();
  }

  data(chunk: Uint8Array): void {
    if (this.#done || !this.#head || this.#bytes > refusalLimit) return;
    this.#bytes += chunk.length;
    if (this.#head.status >= 300) this.#refusal.push(chunk.slice(0, refusalLimit));
    else if (this.#bytes > refusalLimit) {
      // An acknowledgement that does not end, such as a stream: nothing in it is meant for us.
      this.#trip?.drop();
      this.#end();
    }
  }

  end(): void {
    if (this.#done || !this.#head || !this.#trip) return;
    if (this.#head.status < 300) this.#end();
    else {
      const decoder = new TextDecoder();
      const text = this.#refusal.map(piece => decoder.decode(piece, { stream: true })).join('');
      this.#end(failureOfReply(this.#trip.facts, this.#head, text).message);
    }
  }

  failed(error: ConnectionError): void {
    if (!this.#done) this.#end(this.#head && this.#head.status < 300 ? undefined : error.message);
  }

  #end(fault?: string): void {
    this.#done = true;
    this.#timer?.cancel();
    if (fault !== undefined) {
      const what = 'method' in this.#message ? this.#message.method : 'an answer';
      const message = `${what} did not reach the server: ${fault}`;
      this.#seat.receiver.diagnostic({ kind: 'not-delivered', message });
    }
    this.#events.over();
    this.#events.acknowledged();
  }
}
