/** The handshake era over HTTP: sessions are opened, found, checked and ended here, or done without. */
import type { HttpAcceptOptions, HttpReply, HttpRequest } from '../../channels/channel.ts';
import { readObject } from '../../protocol/identity.ts';
import { type Id, readMessage } from '../../rpc/message.ts';
import { codes, errorResponse } from '../../rpc/protocol-error.ts';
import { eraOf } from '../versions.ts';
import { HttpSession, type SessionSeat } from './http-session.ts';
import { Sessionless } from './sessionless.ts';
import { readLimits, SessionTable } from './sessions.ts';

/** Names of the headers of this era. */
export const sessionHeaders = {
  session: 'Mcp-Session-Id',
  version: 'MCP-Protocol-Version',
  lastEvent: 'Last-Event-ID',
} as const;

/** The revision of a client that names none. */
const unnamed = '2025-03-26';

/** Milliseconds that calls of a session get to be answered when the server ends it. */
const farewellGrace = 1_000;

export class HandshakeHttp {
  readonly #seat: SessionSeat;
  readonly #sessions: SessionTable<HttpSession>;
  readonly #sessionless: Sessionless | undefined;

  /** Throws a TypeError when a limit is no number above 0. */
  constructor(seat: SessionSeat, options: HttpAcceptOptions) {
    const { sessions = true } = options;
    this.#seat = seat;
    this.#sessions = new SessionTable({ ...readLimits(options), clock: seat.clock });
    this.#sessionless = sessions === true ? undefined : new Sessionless(seat, sessions === false);
  }

  respond(request: HttpRequest, reply: HttpReply): void {
    const { method } = request;
    const opens = method === 'POST' && readObject(request.body)['method'] === 'initialize';
    const named = request.header('mcp-protocol-version');
    if (!opens && named !== undefined && eraOf(named.trim()) !== 'handshake') {
      const why = `${sessionHeaders.version} names a revision that is not served: ${named.slice(0, 40)}`;
      refuse(request, reply, 400, why);
    } else if (this.#sessionless) {
      if (method === 'POST') this.#sessionless.post(request, reply, named?.trim() ?? unnamed);
      else
        refuse(request, reply, 405, `this server keeps no sessions and answers POST alone`, {
          Allow: 'POST',
        });
    } else if (opens) this.#open(request, reply);
    else this.#inSession(request, reply);
  }

  async close(reason: unknown, grace: number): Promise<void> {
    await Promise.all([this.#sessions.close(reason, grace), this.#sessionless?.close(reason, grace)]);
  }

  #open(request: HttpRequest, reply: HttpReply): void {
    const known = this.#find(request);
    // It tells the client itself that it cannot be opened again. One that is gone may as well be opened anew.
    if (known) known.post(request, reply);
    else if (readMessage(request.body).kind !== 'request') {
      refuse(request, reply, 400, 'initialize must be a request with an id');
    } else {
      const full = this.#seat.router.refusal?.();
      if (full === undefined && this.#sessions.makeRoom()) this.#add(request, reply);
      else {
        const why = full ?? 'too many sessions are in use; try again later';
        refuse(request, reply, 503, why, { 'Retry-After': '10' });
      }
    }
  }

  #add(request: HttpRequest, reply: HttpReply): void {
    const session = new HttpSession(request.principal, this.#seat, (dismissed, reason) => {
      void this.#sessions.end(dismissed, reason, farewellGrace);
    });
    this.#sessions.add(session);
    // A reply that takes long begins before it is known how it ends.
    session.post(request, reply, () =>
      session.opened || session.opening ? { [sessionHeaders.session]: session.id } : {},
    );
    const settle = (): void => {
      if (session.opened) return;
      void this.#sessions.end(session, new DOMException('initialize was refused', 'AbortError'));
    };
    if (session.opening) void session.opening.then(settle);
    else settle();
  }

  #inSession(request: HttpRequest, reply: HttpReply): void {
    const session = this.#find(request);
    if (!session) {
      const given = request.header('mcp-session-id') !== undefined;
      const why = given
        ? 'there is no such session, or it has ended; send initialize to open another'
        : `${sessionHeaders.session} is missing; send initialize to open a session, and then its id with everything`;
      refuse(request, reply, given ? 404 : 400, why);
    } else if (request.method === 'POST') session.post(request, reply);
    else if (request.method === 'GET') void this.#listen(session, request, reply);
    else {
      void this.#sessions.end(session, new DOMException('the client ended its session', 'AbortError'));
      reply.whole(204);
    }
  }

  /** Whoever did not open a session learns nothing of it. */
  #find(request: HttpRequest): HttpSession | undefined {
    const id = request.header('mcp-session-id');
    // Nor does their asking keep it alive.
    return id === undefined ? undefined : this.#sessions.use(id, request.principal);
  }

  async #listen(session: HttpSession, request: HttpRequest, reply: HttpReply): Promise<void> {
    const lastEvent = request.header('last-event-id');
    const { trails, standing } = session;
    if (lastEvent === undefined || !trails) {
      standing.listen(reply);
      return;
    }
    const resumed = trails.resume(lastEvent, trail => {
      const stream = session.attended(reply);
      if (trail && standing.owns(trail)) standing.returned(trail, reply);
      return stream;
    });
    try {
      if (await resumed) return;
      refuse(request, reply, 400, `${sessionHeaders.lastEvent} names no event that can be resumed from`);
    } catch (thrown) {
      this.#seat.router.report('events could not be read back', thrown);
      reply.whole(500);
    }
  }
}

function refuse(
  request: HttpRequest,
  reply: HttpReply,
  status: number,
  why: string,
  headers?: Readonly<Record<string, string>>,
): void {
  const inbound = readMessage(request.body);
  const id: Id | null = inbound.kind === 'request' ? inbound.message.id : null;
  reply.whole(status, errorResponse(id, codes.invalidRequest, why), headers);
}
