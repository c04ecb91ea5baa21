/** HTTP requests by Node's own client over kept connections, several times cheaper than `fetch`; asked of the process, not imported. */
import type { HttpCall, HttpTransport, ReplyListener, TransportFault } from './http-transport.ts';

type Http = ReturnType<typeof process.getBuiltinModule<'node:http'>>;
type Https = ReturnType<typeof process.getBuiltinModule<'node:https'>>;
type Request = ReturnType<Http['request']>;
type Reply = InstanceType<Http['IncomingMessage']>;

/** As many requests as a server of ours runs at once for one client; the rest wait for a connection. */
const maxConnections = 256;

/** Servers close idle connections after 5 s by default; one that is used just then would be lost. */
const idleMs = 4000;

interface Target {
  readonly url: string;
  readonly secure: boolean;
  readonly options: { readonly hostname: string; readonly port: string; readonly path: string };
}

/** Makes the transport where the process is Node itself; nothing elsewhere. */
export function nodeTransport(): HttpTransport | undefined {
  const runtime = globalThis as { readonly Bun?: unknown; readonly Deno?: unknown };
  if (runtime.Bun !== undefined || runtime.Deno !== undefined || typeof process !== 'object')
    return undefined;
  const { getBuiltinModule } = process as Partial<typeof process>;
  if (getBuiltinModule === undefined) return undefined;
  const http = getBuiltinModule('node:http') as Http | undefined;
  const https = getBuiltinModule('node:https') as Https | undefined;
  return http && https ? new NodeTransport(http, https) : undefined;
}

class NodeTransport implements HttpTransport {
  readonly #http: Http;
  readonly #https: Https;
  readonly #agents = new Map<string, InstanceType<Http['Agent']>>();
  #target: Target | undefined;

  constructor(http: Http, https: Https) {
    this.#http = http;
    this.#https = https;
  }

  begin(call: HttpCall, listener: ReplyListener): () => void {
    const exchange = new Exchange(listener);
    try {
      const { secure, options } = this.#targetOf(call.url);
      const { method } = call;
      const headers = { 'accept-encoding': 'identity', ...call.headers };
      const agent = this.#agent(secure, call.waits);
      const how = { ...options, method, headers, agent };
      exchange.follow((secure ? this.#https : this.#http).request(how), call.body);
    } catch (error) {
      // A header or path that cannot be written; told later, as every other failure.
      queueMicrotask(() => exchange.fail({ error, unsent: true }));
    }
    return () => exchange.drop();
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** Taking a URL apart costs as much as the rest of a small request, and nearly all go to the same one. */
  #targetOf(url: string): Target {
    if (this.#target?.url === url) return this.#target;
    const { protocol, hostname, port, pathname, search } = new URL(url);
    const options = { hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search };
    this.#target = { url, secure: protocol === 'https:', options };
    return this.#target;
  }

  #agent(secure: boolean, waits: boolean): InstanceType<Http['Agent']> {
    const name = `${secure} ${waits}`;
    let agent = this.#agents.get(name);
    if (!agent) {
      const { Agent } = secure ? this.#https : this.#http;
      const limits = waits ? { maxSockets: maxConnections } : {};
      agent = new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets: maxConnections, ...limits });
      this.#agents.set(name, agent);
    }
    return agent;
  }
}

/** One request and its reply; tells of one end and of nothing after it. */
class Exchange {
  readonly #listener: ReplyListener;
  #request: Request | undefined;
  #done = false;

  constructor(listener: ReplyListener) {
    this.#listener = listener;
  }

  follow(request: Request, body: string | undefined): void {
    this.#request = request;
    request.on('response', reply => this.#reply(reply));
    request.on('upgrade', (_reply, socket) => {
      socket.destroy();
      this.#switched();
    });
    request.on('error', error => this.fail({ error, unsent: neverLeft(request, error) }));
    if (body === undefined) request.end();
    else request.end(body);
  }

  drop(): void {
    this.#done = true;
    this.#request?.destroy();
  }

  fail(fault: TransportFault): void {
    if (this.#done) return;
    this.#done = true;
    this.#listener.failed(fault);
  }

  /** Without this nothing would ever be heard of the request again. */
  #switched(): void {
    const error = new Error('the server switched to another protocol (status 101), which was not asked for');
    this.fail({ error, unsent: false });
    this.#request?.destroy();
  }

  #reply(reply: Reply): void {
    const cut = (error: unknown): void => this.fail({ error, unsent: false });
    reply.on('error', cut);
    if (this.#done) return;
    const { statusCode = 0, headers } = reply;
    if (statusCode === 101) {
      this.#switched();
      return;
    }
    const encoding = headers['content-encoding'] ?? 'identity';
    if (encoding !== 'identity') {
      cut(new Error(`the reply is compressed (content-encoding: ${encoding}), which was not asked for`));
      this.#request?.destroy();
      return;
    }
    this.#listener.head({
      status: statusCode,
      header(name) {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
    });
    reply.on('data', (chunk: Uint8Array) => {
      if (!this.#done) this.#listener.data(chunk);
    });
    reply.on('end', () => {
      if (this.#done) return;
      this.#done = true;
      this.#listener.end();
    });
    reply.on('close', () => cut(new Error('the connection was closed in the middle of the reply')));
  }
}

const handshakeFaults = /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|ENOTFOUND|EAI_)/;

/** A new connection that carried nothing yet. One that was used before tells nothing by what it carried. */
function neverLeft(request: Request, error: unknown): boolean {
  const { syscall, code } = error as { readonly syscall?: unknown; readonly code?: unknown };
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (typeof code === 'string' && handshakeFaults.test(code)) return true;
  return !request.reusedSocket && (request.socket?.bytesWritten ?? 0) === 0;
}
