/** All eras on one HTTP endpoint: each request goes to the one it belongs to, none knows of the others. */
import { type Clock, systemClock } from '../basics/clock.ts';
import { nextTurn } from '../basics/next-turn.ts';
import { checkChoice, checkMilliseconds } from '../basics/option-checks.ts';
import type { HttpAcceptOptions, HttpAcceptor, HttpReply, HttpRequest } from '../channels/channel.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';
import { CallTable } from './call-table.ts';
import type { Router } from './era.ts';
import { EventEndpoints } from './handshake/event-endpoints.ts';
import { HandshakeHttp, sessionHeaders } from './handshake/http.ts';
import type { OtherEras } from './inlet.ts';
import { Patience } from './post-reply.ts';
import { headerNames } from './stateless/headers.ts';
import { isStatelessPost, namesThisEra, StatelessHttp } from './stateless/http.ts';
import type { StatelessServer } from './stateless/server.ts';

/** What all clients together may have under way in requests that stand for themselves; replies are bounded one by one. */
const admission = {
  running: 10_000,
  queued: 16_384,
  queuedBytes: 64 * 1024 * 1024,
  backlog: Number.POSITIVE_INFINITY,
};

/** Pages of other origins send these, and read those. */
const headers = {
  sent: [...Object.values(sessionHeaders), headerNames.method, headerNames.name, `${headerNames.parameter}*`],
  exposed: [sessionHeaders.session, sessionHeaders.version],
};

export interface HttpEras extends OtherEras {
  /** The era of requests that stand for themselves, for all clients. */
  serveStateless(calls: CallTable): StatelessServer;
}

export class ErasOverHttp implements HttpAcceptor {
  readonly headers: HttpAcceptor['headers'] = headers;
  readonly #clock: Clock;
  readonly #calls: CallTable;
  readonly #server: StatelessServer;
  readonly #stateless: StatelessHttp;
  readonly #handshake: HandshakeHttp;
  readonly #older: EventEndpoints | undefined;
  readonly #patience: Patience;
  #closing: Promise<void> | undefined;

  /** Throws a TypeError when an option cannot be used. */
  constructor(router: Router, eras: HttpEras, options: HttpAcceptOptions = {}) {
    const { clock = systemClock, events, retry = 1000, abortOnDisconnect = false, sessions = true } = options;
    checkChoice('sessions', 'sessions', String(sessions), ['true', 'false', 'none']);
    checkMilliseconds('sessions', 'retry', retry);
    this.#clock = clock;
    this.#patience = new Patience(clock);
    this.#calls = new CallTable(router, admission, true);
    this.#server = eras.serveStateless(this.#calls);
    const patience = this.#patience;
    this.#stateless = new StatelessHttp({ router, calls: this.#calls, server: this.#server, patience });
    const seat = { router, eras, clock, patience, abortOnDisconnect, events, retry };
    this.#handshake = new HandshakeHttp(seat, options);
    this.#older = options.sse === true ? new EventEndpoints(seat, options) : undefined;
  }

  respond(request: HttpRequest, reply: HttpReply): void {
    if (this.#closing) {
      const why = 'the server is closing';
      reply.whole(503, errorResponse(null, codes.internalError, why), { 'Retry-After': '10' });
    } else if (request.method === 'POST' && isStatelessPost(request)) this.#stateless.respond(request, reply);
    else if (this.#older?.takes(request)) this.#older.respond(request, reply);
    else if (request.method !== 'POST' && namesThisEra(request)) {
      const why = `${request.method} is not part of this revision; use POST`;
      reply.whole(405, errorResponse(null, codes.invalidRequest, why), { Allow: 'POST' });
    } else this.#handshake.respond(request, reply);
  }

  close(reason: unknown, grace = 0): Promise<void> {
    this.#closing ??= this.#close(reason, grace);
    return this.#closing;
  }

  async #close(reason: unknown, grace: number): Promise<void> {
    this.#patience.close();
    this.#server.close();
    const sessions = [this.#handshake.close(reason, grace), this.#older?.close(reason, grace)];
    await Promise.all([...sessions, this.#drain(reason, grace)]);
  }

  async #drain(reason: unknown, grace: number): Promise<void> {
    if (grace > 0 && this.#calls.size > 0) {
      let expire = (): void => {};
      const expired = new Promise<void>(resolve => {
        expire = resolve;
      });
      const timer = this.#clock.after(grace, expire, true);
      await Promise.race([this.#calls.drained(), expired]);
      timer.cancel();
    }
    this.#calls.abortAll(reason);
    // Handlers that heed their signal get the rest of this turn; others are given up.
    if (this.#calls.size > 0) await new Promise<void>(resolve => nextTurn(resolve));
  }
}
