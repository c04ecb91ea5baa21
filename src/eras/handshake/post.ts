/** One POST of a handshake client: what belongs to its requests goes on its own reply, asked or answered. */
import type { Exchange, HttpReply, HttpRequest } from '../../channels/channel.ts';
import { type Id, type Message, type Notification, type Request, readMessage } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import { mostInBatch } from '../inlet.ts';
import { type Patience, PostReply } from '../post-reply.ts';
import type { StandingStreams } from './standing-streams.ts';
import type { Trail, Trails } from './trail.ts';

/** Where a POST came to: a session, or a server that keeps none. */
export interface PostSeat {
  /** Of the session, where there is one. */
  readonly id?: string;
  readonly patience: Patience;
  readonly abortOnDisconnect: boolean;
  readonly trails?: Trails | undefined;
  readonly standing?: StandingStreams | undefined;
  /** Hears a message as if the client had sent it. */
  hear(message: Message): void;
  /** Gives a request or its withdrawal the form in which it travels. */
  outgoing?(message: Message): Message;
  /** The reply is complete, or nothing will come of it any more. May be told more than once. */
  finished?(post: HandshakePost): void;
  /** The client left before the reply was complete; the calls go on. */
  left?(post: HandshakePost): void;
  /** No client waits for the reply any more, for whichever reason. Told once. */
  unattended?(): void;
}

/** What goes to the standing stream where the reply cannot carry it. */
const elsewhere: readonly string[] = ['notifications/cancelled', 'notifications/message'];

export class HandshakePost implements Exchange {
  readonly principal?: string;
  readonly session?: string;
  readonly #seat: PostSeat;
  readonly #http: HttpReply;
  readonly #reply: PostReply;
  readonly #requests: readonly Id[];
  #trail: Trail | undefined;
  #left = false;
  #attended = true;

  constructor(
    request: HttpRequest,
    http: HttpReply,
    seat: PostSeat,
    headers?: () => Readonly<Record<string, string>>,
  ) {
    if (request.principal !== undefined) this.principal = request.principal;
    if (seat.id !== undefined) this.session = seat.id;
    this.#seat = seat;
    this.#http = http;
    this.#requests = requestsIn(request.body);
    const { trails, patience } = seat;
    const { accepts } = request;
    // An answer that is lost can be fetched again from a stream only.
    const resumable = trails && accepts.stream ? { json: false, stream: true } : accepts;
    this.#reply = new PostReply(http, {
      // What nobody waits for is never begun as a stream.
      accepts: this.#requests.length > 0 ? resumable : { json: true, stream: false },
      patience,
      ...(headers ? { headers } : {}),
      ...(trails
        ? {
            through: stream => {
              this.#trail = trails.open(stream);
              return this.#trail;
            },
          }
        : {}),
    });
  }

  /** To call once the messages were taken: without a request among them there is no answer to wait for. */
  taken(): void {
    if (this.#reply.done) return;
    if (this.#requests.length > 0) {
      this.#http.onLeave(() => this.#clientLeft());
      if (this.#seat.trails) this.#reply.begin();
    } else {
      this.#reply.empty(202);
      this.#finished();
    }
  }

  send(message: Message | readonly Message[]): void {
    if (Array.isArray(message)) this.#answer(message, 200);
    else if (!('method' in message)) {
      // An error without id says that the message itself was no good.
      const { id } = message as { readonly id?: Id | null };
      this.#answer(message, id === null ? 400 : 200);
    } else if ('id' in message) this.#ask(message as Request);
    else this.#tell(message as Notification);
  }

  dropped(id: Id): void {
    // Of a batch this is heard once, when all of its calls were cancelled.
    if (this.#requests.includes(id)) this.#end();
  }

  closeStream(): void {
    if (!this.#seat.trails || this.#left) return;
    this.#reply.begin();
    this.#trail?.detach();
    this.#seat.left?.(this);
    this.#unattend();
  }

  #answer(message: object, status: number): void {
    this.#reply.answer(message, status);
    this.#finished();
  }

  /** The call was cancelled: nothing will be said any more. */
  #end(): void {
    this.#reply.begin();
    this.#reply.empty(204);
    this.#finished();
  }

  #finished(): void {
    this.#seat.finished?.(this);
    this.#unattend();
  }

  #unattend(): void {
    if (!this.#attended) return;
    this.#attended = false;
    this.#seat.unattended?.();
  }

  #tell(message: Notification): void {
    const travels = this.#seat.outgoing?.(message) ?? message;
    if (this.#isHeard && this.#reply.say(travels)) return;
    // What withdraws a question follows the question; what is logged belongs to no request in particular.
    if (elsewhere.includes(message.method)) this.#seat.standing?.send(travels);
  }

  /** A client that takes no stream here is asked on its standing one; without either it cannot be asked. */
  #ask(request: Request): void {
    const { standing } = this.#seat;
    const travels = this.#seat.outgoing?.(request) ?? request;
    if (this.#isHeard && this.#reply.say(travels)) return;
    if (standing?.open) standing.send(travels);
    else {
      const why = 'the client cannot be asked: it has no event stream open';
      // Later, because who asks is not waiting for the answer yet.
      queueMicrotask(() => this.#seat.hear(errorResponse(request.id, codes.invalidRequest, why)));
    }
  }

  /** Whether what is said here can reach the client, now or when it comes back. */
  get #isHeard(): boolean {
    return !this.#left || this.#trail !== undefined;
  }

  #clientLeft(): void {
    this.#left = true;
    // On a trail the server goes on talking, for the client that comes back.
    if (!this.#trail) this.#reply.drop();
    this.#seat.left?.(this);
    this.#unattend();
    if (!this.#seat.abortOnDisconnect) return;
    for (const requestId of this.#requests) {
      this.#seat.hear({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    }
  }
}

/** The ids of the requests in a body. */
function requestsIn(body: unknown): readonly Id[] {
  const members: readonly unknown[] = Array.isArray(body) ? body : [body];
  // It is refused as a whole.
  if (members.length > mostInBatch) return [];
  return members.flatMap(member => {
    const inbound = Array.isArray(member) ? undefined : readMessage(member);
    return inbound?.kind === 'request' ? [inbound.message.id] : [];
  });
}
