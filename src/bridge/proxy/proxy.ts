/** A proxy: a server in front of another, for any number of clients in every era, whatever the other one speaks. */
import { Endpoint } from '../../server/endpoint.ts';
import { CommonRouter } from './common-router.ts';
import { HeldCalls } from './held-calls.ts';
import { type ConnectUpstream, type ProxyOptions, readProxyOptions } from './proxy-options.ts';

import { Upstreams } from './upstreams.ts';

/**
 * A server that hands on what it is asked to the server that `connectUpstream` connects to; give it to `serveStdio`,
 * `serveHttp`, `handler` or `connect`. Each connection or session of a client gets a connection of its own, closed with
 * it; requests that belong to no session share one with requests of the same caller. What the server behind asks in a
 * call goes to the client that made the call. Throws a TypeError that names an option that cannot be used.
 */
export function proxy(connectUpstream: ConnectUpstream, options: ProxyOptions = {}): ProxyServer {
  return new ProxyServer(connectUpstream, options);
}

/** What `proxy` makes; `close()` it when no more clients are served. */
export class ProxyServer extends Endpoint {
  readonly #upstreams: Upstreams;
  readonly #held: HeldCalls;

  constructor(connectUpstream: ConnectUpstream, options: ProxyOptions) {
    const settings = readProxyOptions(connectUpstream, options);
    const upstreams = new Upstreams(settings);
    const held = new HeldCalls(settings.clock, settings.hold);
    const router = new CommonRouter({ settings, upstreams, held });
    const http = { sessionTtl: settings.idle };
    super(router, { label: 'proxy', state: options.state, http });
    this.#upstreams = upstreams;
    this.#held = held;
  }

  /** Ends every connection to the server behind and gives up what is held. Safe to call twice; never rejects. */
  async close(): Promise<void> {
    this.#held.close();
    await this.#upstreams.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
