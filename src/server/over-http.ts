/** What HTTP channels serve: brings the eras as they are over HTTP to a server that does without them elsewhere. */
import type { HttpServed } from '../channels/channel.ts';
import { serveErasOverHttp } from '../eras/for-http-servers.ts';
import type { ServableOverHttp } from './endpoint.ts';

/** A server as an HTTP channel of your own needs it; `serveHttp`, `nodeHandler` and `handler` do this by themselves. */
export function overHttp(server: ServableOverHttp | HttpServed): HttpServed {
  if ('acceptHttp' in server) return server;
  return { acceptHttp: options => server['~overHttp'](serveErasOverHttp, options) };
}
