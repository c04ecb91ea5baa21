/** The stream for what belongs to no request: optional, quiet when it is lost, and never the reason for a failure. */
import type { Timer } from '../basics/clock.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { ReplyHead, StandingStream } from './channel.ts';
import { isStreamReply, ReplyBody } from './http-client-body.ts';
import { failureOfReply } from './http-client-failures.ts';
import { backoff, type HttpSeat, plan, streamHeaders } from './http-client-seat.ts';
import type { Trip, TripListener } from './http-client-trip.ts';

const longestWait = 60_000;

/** Fetched again for as long as it is wanted, later each time unless it brought something. */
export class Standing implements TripListener {
  readonly #seat: HttpSeat;
  readonly #stream: StandingStream;
  readonly #over: () => void;
  #trip: Trip | undefined;
  #body: ReplyBody | undefined;
  #timer: Timer | undefined;
  #failures = 0;
  /** Streams in a row that brought no message. */
  #empty = 0;
  #stood = false;
  #done = false;
  #lastEventId: string | undefined;
  #retry: number | undefined;

  constructor(seat: HttpSeat, stream: StandingStream, over: () => void) {
    this.#seat = seat;
    this.#stream = stream;
    this.#over = over;
  }

  begin(): void {
    if (!this.#done) this.#fetch(this.#stream.headers);
  }

  /** Leaves, without a word to who listened. */
  leave(): void {
    if (this.#done) return;
    this.#done = true;
    this.#timer?.cancel();
    this.#trip?.drop();
    this.#over();
  }

  head(head: ReplyHead): void {
    if (this.#done) return;
    const isStream = head.status >= 200 && head.status < 300 && isStreamReply(head);
    // A server that is being restarted is not one without such a stream.
    if (!isStream && this.#stood && (head.status >= 500 || head.status === 429)) {
      this.#trip?.drop();
      this.#again();
    } else if (!isStream) {
      this.#trip?.drop();
      // What was never there needs no words; a stream that stood and is not found means more than that.
      const tells = head.status === 401 || head.status === 403 || (head.status === 404 && this.#stood);
      const facts = this.#trip?.facts;
      this.#end(tells && facts ? failureOfReply(facts, head, '') : undefined);
    } else {
      this.#stood = true;
      this.#body = new ReplyBody(
        head,
        {
          message: value => {
            if (!this.#done) this.#seat.receiver.message(value);
          },
          touched: () => {},
          skipped: (reason, text) => {
            const message = `skipped an event of the standing stream that is not JSON (${reason})`;
            this.#seat.receiver.diagnostic({ kind: 'unreadable-event', message, data: text.slice(0, 200) });
          },
        },
        this.#seat.settings.replyLimit,
      );
      this.#stream.opened?.();
    }
  }

  data(chunk: Uint8Array): void {
    if (this.#done || !this.#body || this.#body.push(chunk)) return;
    const message = 'left the standing stream: one of its events was longer than the limit';
    this.#seat.receiver.diagnostic({ kind: 'event-too-long', message });
    this.#trip?.drop();
    this.#again();
  }

  end(): void {
    if (this.#done) return;
    this.#body?.end();
    if (!this.#done) this.#again();
  }

  failed(error: ConnectionError): void {
    if (this.#done) return;
    // What was refused, or never stood, is not there; what stood and was cut is fetched again.
    if (this.#stood && error.reason !== 'redirected') this.#again();
    else this.#end();
  }

  #again(): void {
    const body = this.#body;
    this.#body = undefined;
    this.#failures = body?.progressed === true ? 0 : this.#failures + 1;
    this.#empty = body?.brought === true ? 0 : this.#empty + 1;
    this.#lastEventId = body?.lastEventId ?? this.#lastEventId;
    this.#retry = body?.retry ?? this.#retry;
    // A server that closes at once, each time, is asked ever more rarely.
    const wait = backoff(this.#failures, this.#empty, this.#retry, longestWait);
    this.#timer = this.#seat.clock.after(wait, () => {
      const headers = this.#stream.resume?.(this.#lastEventId);
      if (headers) this.#fetch(headers);
      else this.#end();
    });
  }

  #fetch(headers: Readonly<Record<string, string>>): void {
    const { url } = this.#seat.settings;
    const errand = {
      verb: 'GET',
      url,
      required: streamHeaders,
      headers,
      waits: false,
      phase: 'listen',
    } as const;
    this.#trip = plan(this.#seat, errand, this);
    this.#trip.begin();
  }

  #end(error?: ConnectionError): void {
    if (this.#done) return;
    this.#done = true;
    this.#timer?.cancel();
    this.#over();
    this.#stream.ended(error);
  }
}
