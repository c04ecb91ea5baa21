/** One session of a handshake client over HTTP: its connection, its standing streams, and what it may resume. */
import type { Clock } from '../../basics/clock.ts';
import { randomId } from '../../basics/random-id.ts';
import type { EventStore, EventStream, HttpReply, HttpRequest, Inlet } from '../../channels/channel.ts';
import type { Message } from '../../rpc/message.ts';
import type { Router } from '../era.ts';
import { EraInlet, type OtherEras, type ServeEra } from '../inlet.ts';
import type { Patience } from '../post-reply.ts';
import { HandshakePost, type PostSeat } from './post.ts';
import { HandshakeServer } from './server.ts';
import { StandingStreams } from './standing-streams.ts';
import { Trails } from './trail.ts';

/** What all sessions of a server share. */
export interface SessionSeat {
  readonly router: Router;
  readonly eras: OtherEras;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly abortOnDisconnect: boolean;
  readonly events: EventStore | undefined;
  readonly retry: number;
}

export class HttpSession implements PostSeat {
  readonly id: string = randomId();
  readonly principal: string | undefined;
  readonly trails: Trails | undefined;
  readonly standing: StandingStreams;
  used = 0;
  readonly #seat: SessionSeat;
  readonly #inlet: Inlet;
  /** How many replies a client waits for: POSTs with a call, and streams that were resumed. */
  #attended = 0;
  #server: HandshakeServer | undefined;

  /** `dismiss` ends the session, so that the client opens another. */
  constructor(
    principal: string | undefined,
    seat: SessionSeat,
    dismiss: (session: HttpSession, reason: unknown) => void,
  ) {
    const { events: store, retry, clock, eras: others } = seat;
    const router = seat.router.branch?.(reason => dismiss(this, reason)) ?? seat.router;
    this.principal = principal;
    this.#seat = seat;
    this.trails = store && this.#openTrails(store, retry, router);
    this.standing = new StandingStreams(this.trails);
    const handshake: ServeEra = given => {
      this.#server = new HandshakeServer(given);
      return this.#server;
    };
    const { standing } = this;
    this.#inlet = new EraInlet(router, { handshake, others, standing }, { clock, replyStreams: true });
  }

  get patience(): Patience {
    return this.#seat.patience;
  }

  get abortOnDisconnect(): boolean {
    return this.#seat.abortOnDisconnect;
  }

  /** A call that nobody waits for keeps no session: a client that is gone may have left a question open for ever. */
  get busy(): boolean {
    return this.#attended > 0 || this.standing.open;
  }

  /** True once `initialize` was answered with a result. */
  get opened(): boolean {
    return this.#server?.facts !== undefined;
  }

  /** While `initialize` waits for its answer: settles with it, and never rejects. */
  get opening(): Promise<void> | undefined {
    return this.#server?.opening;
  }

  post(request: HttpRequest, reply: HttpReply, headers?: () => Readonly<Record<string, string>>): void {
    const post = new HandshakePost(request, reply, this, headers);
    this.#attended += 1;
    this.#inlet.receive(request.body, post, request.bytes);
    post.taken();
  }

  unattended(): void {
    this.#attended -= 1;
  }

  /** The stream of a reply to a client that came back for what it missed. */
  attended(reply: HttpReply): EventStream {
    const stream = reply.stream();
    let waits = true;
    const stop = (): void => {
      if (waits) this.#attended -= 1;
      waits = false;
    };
    this.#attended += 1;
    reply.onLeave(stop);
    return {
      send: event => stream.send(event),
      end: () => {
        stop();
        stream.end();
      },
    };
  }

  hear(message: Message): void {
    this.#inlet.receive(message, this.standing);
  }

  /** Calls get `grace` milliseconds to finish; the standing streams end at once. */
  close(reason: unknown, grace = 0): Promise<void> {
    this.standing.end();
    return this.#inlet.close(reason, grace);
  }

  #openTrails(store: EventStore, retry: number, router: Router): Trails {
    return new Trails({
      store,
      retry,
      primes: () => this.#server?.facts?.primedStreams ?? false,
      report: (message, cause) => router.report(message, cause),
    });
  }
}
