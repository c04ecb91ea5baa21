/** `tenon/node`: serve over HTTP with Node, as a server of its own or as a part of another. */
import type { HttpServed } from '../channels/channel.ts';
import type { HttpServerOptions } from '../channels/http-server-options.ts';
import { type NodeHandler, nodeHandler as serveRequests } from '../channels/node-http.ts';
import { type HttpService, serveHttp as listen, type ServeHttpOptions } from '../channels/node-http-serve.ts';
import type { ServableOverHttp } from '../server/endpoint.ts';
import { overHttp } from '../server/over-http.ts';

export type { NodeHandler } from '../channels/node-http.ts';
export type { HttpService, ServeHttpOptions } from '../channels/node-http-serve.ts';

/**
 * Serves `server` to whatever requests are given to the handler, on any path. A body that was parsed before is taken
 * from `request.body`. Throws a TypeError when an option cannot be used.
 */
export function nodeHandler(
  server: ServableOverHttp | HttpServed,
  options: HttpServerOptions = {},
): NodeHandler {
  return serveRequests(overHttp(server), options);
}

/** Listens for clients of `server`. Rejects with a TenonError when the address cannot be had. */
export function serveHttp(
  server: ServableOverHttp | HttpServed,
  options: ServeHttpOptions = {},
): Promise<HttpService> {
  return listen(overHttp(server), options);
}
