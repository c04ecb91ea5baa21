/** The servers' door of the eras: serve a router in all of them at once; over HTTP is a door of its own. */
import type { AcceptOptions, Acceptor, Exchange, Inlet } from '../channels/channel.ts';
import type { Router } from './era.ts';
import { type HandshakeSeat, HandshakeServer } from './handshake/server.ts';
import { EraInlet, type OtherEras } from './inlet.ts';
import { isStatelessRequest } from './stateless/envelope.ts';
import { StatelessServer } from './stateless/server.ts';
import { type StateOptions, StateSeal } from './stateless/state.ts';

export { type MemoryStoreOptions, memoryStore, type StateStore } from '../basics/state-store.ts';
export { type MemoryEventsOptions, memoryEvents } from './handshake/event-store.ts';
export { readAnnotations } from './stateless/header-annotations.ts';

/** How the eras are served, on any kind of channel. */
export interface ServeOptions {
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
