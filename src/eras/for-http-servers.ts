/** The door of the eras for servers over HTTP: beside the other one, since most programs serve no HTTP. */
import type { HttpAcceptOptions, HttpAcceptor } from '../channels/channel.ts';
import type { Router } from './era.ts';
import type { ServeOptions } from './for-servers.ts';
import { ErasOverHttp, type HttpEras } from './http.ts';
import { isStatelessRequest } from './stateless/envelope.ts';
import { StatelessServer } from './stateless/server.ts';
import { StateSeal } from './stateless/state.ts';

/** Serves a router in every era at once to clients that come over HTTP. Throws a TypeError when an option cannot be used. */
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
