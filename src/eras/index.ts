/** The door of the eras, and the only file of theirs that others import: negotiate as a client, serve as a server. */
import type { AcceptOptions, Acceptor, Exchange, Inlet } from '../channels/channel.ts';
import type { Router } from './era.ts';
import { HandshakeServer } from './handshake/server.ts';
import { EraInlet, type ServedEras } from './inlet.ts';
import { isStatelessRequest } from './stateless/envelope.ts';
import { StatelessServer } from './stateless/server.ts';
import { type StateOptions, StateSeal } from './stateless/state.ts';

export type { CallResult, ClientEra, ClientSeat, LogEntry, Router } from './era.ts';
export { EraMemory } from './era-memory.ts';
export { type Negotiated, negotiate } from './negotiate.ts';
export type { ProbeTimes } from './probe.ts';
export type { StateOptions } from './stateless/state.ts';
export { type Revision, revisions } from './versions.ts';

/** Serves a router to whoever connects, in every era at once, each message in the one it belongs to. */
export function serveEras(router: Router, options: { readonly state?: StateOptions } = {}): Acceptor {
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
