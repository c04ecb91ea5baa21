/** The servers' door of the eras: serve a router in all of them at once. */
import type {
  AcceptOptions,
  Acceptor,
  Exchange,
  HttpAcceptOptions,
  HttpAcceptor,
  Inlet,
} from '../channels/channel.ts';
import type { Router } from './era.ts';
import { type HandshakeSeat, HandshakeServer } from './handshake/server.ts';
import { ErasOverHttp, type HttpEras } from './http.ts';
import { EraInlet, type OtherEras } from './inlet.ts';
import { isStatelessRequest } from './stateless/envelope.ts';
import { StatelessServer } from './stateless/server.ts';
import { type StateOptions, StateSeal } from './stateless/state.ts';

export { type MemoryStoreOptions, memoryStore, type StateStore } from '../basics/state-store.ts';
export { type MemoryEventsOptions, memoryEvents } from './handshake/event-store.ts';
export { readAnnotations } from './stateless/header-annotations.ts';

/** How the eras are served, on any kind of channel. */
interface ServeOptions {
  readonly state?: StateOptions;
}

/** Serves a router to whoever connects, in every era at once, each message in the one it belongs to. */
export function serveEras(router: Router, options: ServeOptions = {}): Acceptor {
  const seal = new StateSeal(options.state);
  const handshake = (seat: HandshakeSeat): HandshakeServer => new HandshakeServer(seat);
  const others: OtherEras = {
    stateless: ({ router: served, calls }) => new StatelessServer({ router: served, calls, seal }),
    isStateless: isStatelessRequest,
  };
  return {
    accept(standing: Exchange, accept?: AcceptOptions): Inlet {
      return new EraInlet(router.branch?.() ?? router, { handshake, others, standing }, accept);
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
