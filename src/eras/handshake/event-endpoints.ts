/** The deprecated transport of 2024-11-05: one event stream for all that is said, and an address for what is sent. */
import type { Exchange, HttpAcceptOptions, HttpReply, HttpRequest, Inlet } from '../../channels/channel.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import { EraInlet, type ServeEra } from '../inlet.ts';
import type { SessionSeat } from './http-session.ts';
import { HandshakeServer } from './server.ts';
import { readLimits, SessionTable, type TableEntry } from './sessions.ts';

const parameter = 'session';

/** A client with its stream; it is gone when the stream is. */
interface EventSession extends TableEntry {
  readonly inlet: Inlet;
  readonly exchange: Exchange;
}

export class EventEndpoints {
  readonly #seat: SessionSeat;
  readonly #sessions: SessionTable<EventSession>;

  constructor(seat: SessionSeat, options: HttpAcceptOptions) {
    this.#seat = seat;
    this.#sessions = new SessionTable({ ...readLimits(options), clock: seat.clock });
  }

  /** True for a request that only a client of this transport makes. */
  takes(request: HttpRequest): boolean {
    if (request.header('mcp-session-id') !== undefined) return false;
    if (request.method === 'POST') {
      const id = sessionIn(request.url);
      // A parameter of this name may be part of the address by which others call. One that has ended looks alike.
      return id !== undefined && (this.#sessions.has(id) || isOwn(id));
    }
    if (request.method !== 'GET') return false;
    // Newer clients name their revision; these know of no such header.
    return request.header('mcp-protocol-version') === undefined;
  }

  respond(request: HttpRequest, reply: HttpReply): void {
    if (request.method === 'POST') this.#hear(request, reply);
    else if (this.#sessions.makeRoom()) this.#open(request, reply);
    else {
      const busy = errorResponse(
        null,
        codes.internalError,
        'too many clients are connected; try again later',
      );
      reply.whole(503, busy, { 'Retry-After': '10' });
    }
  }

  close(reason: unknown, grace: number): Promise<void> {
    return this.#sessions.close(reason, grace);
  }

  #open(request: HttpRequest, reply: HttpReply): void {
    const { router, eras: others, clock } = this.#seat;
    const { principal } = request;
    const id = crypto.randomUUID();
    const stream = reply.stream();
    const exchange: Exchange = {
      ...(principal === undefined ? {} : { principal }),
      send: message => stream.send({ data: message }),
    };
    const handshake: ServeEra = given => new HandshakeServer(given);
    const seat = { handshake, others, standing: exchange };
    const inlet = new EraInlet(router.branch?.() ?? router, seat, { clock, replyStreams: false });
    const session: EventSession = {
      id,
      principal,
      inlet,
      exchange,
      busy: true,
      used: 0,
      async close(reason, grace) {
        await inlet.close(reason, grace);
        stream.end();
      },
    };
    this.#sessions.add(session);
    const left = new DOMException('the client left its event stream', 'AbortError');
    reply.onLeave(() => void this.#sessions.end(session, left));
    // A query alone keeps the path, whatever stands before it on the way to the client.
    stream.send({ event: 'endpoint', data: `?${parameter}=${id}` });
  }

  #hear(request: HttpRequest, reply: HttpReply): void {
    const session = this.#sessions.use(sessionIn(request.url) ?? '', request.principal);
    if (!session) {
      const why = 'there is no such session, or its event stream has ended; open another by a GET';
      reply.whole(404, errorResponse(null, codes.invalidRequest, why));
      return;
    }
    reply.whole(202);
    session.inlet.receive(request.body, session.exchange, request.bytes);
  }
}

function isOwn(id: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

function sessionIn(url: string): string | undefined {
  const query = url.indexOf('?');
  if (query === -1) return undefined;
  return new URLSearchParams(url.slice(query)).get(parameter) ?? undefined;
}
