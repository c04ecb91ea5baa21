/** One session of a handshake client over HTTP: its connection, its standing streams, and what it may resume. */
import type { Clock } from '../../basics/clock.ts';
import type { EventStore, EventStream, HttpReply, HttpRequest, Inlet } from '../../channels/channel.ts';
import type { Message } from '../../rpc/message.ts';
import type { Router } from '../era.ts';
import { EraInlet, type ServedEras } from '../inlet.ts';
import type { Patience } from '../post-reply.ts';
import { HandshakePost, type PostSeat } from './post.ts';
import { HandshakeServer } from './server.ts';
import { StandingStreams } from './standing-streams.ts';
import { Trails } from './trail.ts';

/** What all sessions of a server share. */
export interface SessionSeat {
  readonly router: Router;
  readonly eras: Pick<ServedEras, 'stateless' | 'isStateless'>;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly abortOnDisconnect: boolean;
  readonly events: EventStore | undefined;
  readonly retry: number;
}

export class HttpSession implements PostSeat {
  readonly id: string = crypto.randomUUID();
  readonly principal: string | undefined;
  readonly patience: Patience;
  readonly abortOnDisconnect: boolean;
  readonly trails: Trails | undefined;
  readonly standing: StandingStreams;
  readonly #inlet: Inlet;
  /** Replies that a client waits for: POSTs with a call, and streams that were resumed. */
  readonly #attended = new Set<object>();
  #server: HandshakeServer | undefined;

  constructor(principal: string | undefined, seat: SessionSeat) {
    const { router, events: store, retry, clock, eras } = seat;
    this.principal = principal;
    this.patience = seat.patience;
    this.abortOnDisconnect = seat.abortOnDisconnect;
    const primes = (): boolean => this.#server?.facts?.primedStreams ?? false;
    const report = (message: string, cause: unknown): void => router.report(message, cause);
    this.trails = store && new Trails({ store, retry, primes, report });
    this.standing = new StandingStreams(this.trails);
    const handshake: ServedEras['handshake'] = given => {
      this.#server = new HandshakeServer(given);
      return this.#server;
    };
    this.#inlet = new EraInlet(router, { ...eras, handshake }, this.standing, { clock, replyStreams: true });
  }

  /** A call that nobody waits for keeps no session: a client that is gone may have left a question open for ever. */
  get busy(): boolean {
    return this.#attended.size > 0 || this.standing.open;
  }

  /** True once `initialize` was answered with a result. */
  get opened(): boolean {
    return this.#server?.facts !== undefined;
  }

  post(request: HttpRequest, reply: HttpReply, headers?: () => Readonly<Record<string, string>>): void {
    const post = new HandshakePost(request, reply, this, headers);
    this.#attended.add(post);
    this.#inlet.receive(request.body, post, request.bytes);
    post.taken();
  }

  finished(post: HandshakePost): void {
    this.#attended.delete(post);
  }

  left(post: HandshakePost): void {
    this.#attended.delete(post);
  }

  /** The stream of a reply to a client that came back for what it missed. */
  attended(reply: HttpReply): EventStream {
    const stream = reply.stream();
    this.#attended.add(stream);
    reply.onLeave(() => this.#attended.delete(stream));
    return {
      send: event => stream.send(event),
      end: () => {
        this.#attended.delete(stream);
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
}
