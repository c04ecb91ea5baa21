/** The door of the eras, and the only file of theirs that others import: negotiate as a client, serve as a server. */
import type {
  AcceptOptions,
  Acceptor,
  Exchange,
  HttpAcceptOptions,
  HttpAcceptor,
  Inlet,
} from '../channels/channel.ts';
import type { Router } from './era.ts';
import { HandshakeServer } from './handshake/server.ts';
import { ErasOverHttp, type HttpEras } from './http.ts';
import { EraInlet, type ServedEras } from './inlet.ts';
import { isStatelessRequest } from './stateless/envelope.ts';
import { StatelessServer } from './stateless/server.ts';
import { type StateOptions, StateSeal } from './stateless/state.ts';

export { AskedKeys } from './asked-keys.ts';
export type { CallResult, ClientEra, ClientSeat, LogEntry, Router } from './era.ts';
export { EraMemory } from './era-memory.ts';
export { type MemoryEventsOptions, memoryEvents } from './handshake/event-store.ts';
export { type Negotiated, negotiate } from './negotiate.ts';
export { isResourceNotFound } from './not-found.ts';
export type { ProbeTimes } from './probe.ts';
export { readAnnotations } from './stateless/header-annotations.ts';
export type { StateOptions } from './stateless/state.ts';
export { type MemoryStoreOptions, memoryStore, type StateStore } from './stateless/state-store.ts';
export { type Revision, revisions } from './versions.ts';

/** How the eras are served, on any kind of channel. */
interface ServeOptions {
  readonly state?: StateOptions;
}

/** Serves a router to whoever connects, in every era at once, each message in the one it belongs to. */
export function serveEras(router: Router, options: ServeOptions = {}): Acceptor {
  const seal = new StateSeal(options.state);
  const eras: ServedEras = {
    handshake: seat => new HandshakeServer(seat),
    stateless: ({ router: served, calls }) => new StatelessServer({ router: served, calls, seal }),
    isStateless: isStatelessRequest,
  };
  return {
    accept(standing: Exchange, accept?: AcceptOptions): Inlet {
      return new EraInlet(router, eras, standing, accept);
    },
  };
}

/** As `serveEras`, for clients that come over HTTP. Throws a TypeError when an option cannot be used. */
export function serveErasOverHttp(
  router: Router,
  options: ServeOptions & HttpAcceptOptions = {},
): HttpAcceptor {
  const seal = new StateSeal(options.state);
  const eras: HttpEras = {
    stateless: ({ router: served, calls }) => new StatelessServer({ router: served, calls, seal }),
    serveStateless: calls => new StatelessServer({ router, calls, seal }),
    isStateless: isStatelessRequest,
  };
  return new ErasOverHttp(router, eras, options);
}
