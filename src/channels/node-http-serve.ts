/** A whole HTTP server of Node around one endpoint: listening, keep-alive, and an end that leaves nothing behind. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../basics/clock.ts';
import { messageOf, TenonError } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkNumber, checkText } from '../basics/option-checks.ts';
import type { HttpServed } from './channel.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { nodeEndpoint } from './node-http.ts';

export interface ServeHttpOptions extends HttpServerOptions {
  /** The port to listen on; any free one by default. */
  readonly port?: number | undefined;
  /** The address to listen on; `127.0.0.1` by default, which only this machine reaches. */
  readonly host?: string | undefined;
  /** The path of the endpoint; `/mcp` by default. Everything else is answered with 404. */
  readonly path?: string | undefined;
  /** Milliseconds that running calls get at the end before they are aborted; 2,000 by default. */
  readonly drain?: number | undefined;
}

/** A server that listens. */
export interface HttpService {
  /** Where the endpoint is. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets running calls finish, ends all sessions and connections. Safe to call twice; never rejects. */
  close(): Promise<void>;
}

/** How long connections get to flush what was said last, in milliseconds. */
const lastFlush = 250;

/** Listens for clients of `server`. Rejects with a TenonError when the address cannot be had. */
export async function serveHttp(server: HttpServed, options: ServeHttpOptions = {}): Promise<HttpService> {
  const { port = 0, host = '127.0.0.1', path = '/mcp', drain = 2000, clock = systemClock } = options;
  checkNumber('serveHttp', 'port', port, { integer: true, min: 0, max: 65_535 });
  checkNumber('serveHttp', 'drain', drain, { min: 0 });
  checkText('serveHttp', 'host', host);
  checkText('serveHttp', 'path', path);
  const endpoint = nodeEndpoint(server, options);
  let closing: Promise<void> | undefined;

  const listener = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
    if (closing) response.shouldKeepAlive = false;
    const { url = '/' } = request;
    const query = url.indexOf('?');
    if ((query === -1 ? url : url.slice(0, query)) === path) endpoint.handle(request, response);
    else endpoint.astray(request, response, `nothing is here; the endpoint is ${path}\n`);
  });

  try {
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject).listen(port, host, resolve);
    });
  } catch (cause) {
    await endpoint.close();
    const hint = 'choose another port or host, or end what uses it';
    throw new TenonError(`cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause, hint });
  }
  listener.removeAllListeners('error').on('error', error => {
    // One connection that could not be taken, for want of file handles say, must not end the others.
    notify(options.onDiagnostic, { kind: 'internal', message: `listening: ${error.message}`, data: error });
  });
  const bound = (listener.address() as AddressInfo).port;

  async function close(): Promise<void> {
    const over = new Promise<void>(resolve => listener.close(() => resolve()));
    await endpoint.close(new DOMException('the server was closed', 'AbortError'), drain);
    listener.closeIdleConnections();
    const timer = clock.after(lastFlush, () => listener.closeAllConnections(), true);
    await over;
    timer.cancel();
  }

  return {
    url: `http://${reachable(host)}:${bound}${path}`,
    port: bound,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** An address that listens everywhere is no address to call. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
