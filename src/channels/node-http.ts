/** A server on node:http: takes requests and responses as Node has them and builds no web objects. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest, HttpServed } from './channel.ts';
import { type Admitted, type Answer, HttpGate } from './http-server.ts';
import type { HttpHead } from './http-server-auth.ts';
import { checkHttpOptions, type HttpServerOptions } from './http-server-options.ts';
import { isLoopbackAddress } from './http-server-origin.ts';
import { NodeReply, sendAnswer } from './node-http-reply.ts';

/** Answers one request; mount it on any node:http server, in Express, in Fastify on the raw objects. */
export interface NodeHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Ends all sessions, streams and calls; these get `grace` milliseconds. Requests are answered with 503 then. */
  close(reason?: unknown, grace?: number): Promise<void>;
}

/**
 * Serves `server` to whatever requests are given to the handler, on any path. A body that was parsed before is taken
 * from `request.body`. Throws a TypeError when an option cannot be used.
 */
export function nodeHandler(server: HttpServed, options: HttpServerOptions = {}): NodeHandler {
  const { handle, close } = nodeEndpoint(server, options);
  return Object.assign(handle, { close });
}

/** A handler with an answer for requests that are none of its own. */
export interface NodeEndpoint {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers with 404 and `why`; a page that may call may read it. */
  astray(request: IncomingMessage, response: ServerResponse, why: string): void;
  close: NodeHandler['close'];
}

/** Throws a TypeError when an option cannot be used. */
export function nodeEndpoint(server: HttpServed, options: HttpServerOptions): NodeEndpoint {
  checkHttpOptions('nodeHandler', options);
  const acceptor = server.acceptHttp(options);
  const gate = new HttpGate(acceptor, options);
  return {
    handle: (request, response) => new NodeTrip(gate, request, response).begin(),
    astray: (request, response, why) => new NodeTrip(gate, request, response).astray(why),
    async close(reason: unknown = new DOMException('the server was closed', 'AbortError'), grace = 0) {
      await acceptor.close(reason, grace);
      gate.heartbeat.close();
    },
  };
}

/** One request on its way through the checks to the server. */
class NodeTrip implements HttpHead {
  readonly #gate: HttpGate;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(gate: HttpGate, request: IncomingMessage, response: ServerResponse) {
    this.#gate = gate;
    this.#request = request;
    this.#response = response;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }

  get url(): string {
    return this.#request.url ?? '/';
  }

  header(name: string): string | undefined {
    const { headers } = this.#request;
    if (name === 'host') return this.#hosts() ?? (headers[':authority'] as string | undefined);
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** All of them, which Node keeps the first of. */
  #hosts(): string | undefined {
    const { headers, rawHeaders } = this.#request;
    const { host } = headers;
    if (host === undefined || !rawHeaders) return host;
    const found: (string | undefined)[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host')
        found.push(rawHeaders[at + 1]);
    }
    return found.length > 1 ? found.join(', ') : host;
  }

  /** Answers a request for another path than the one served. */
  astray(why: string): void {
    this.#listen();
    this.#guard(() => this.#refuse(this.#gate.astray(this, isLocal(this.#request), why)));
  }

  begin(): void {
    this.#listen();
    let admitted: ReturnType<HttpGate['admit']>;
    try {
      admitted = this.#gate.admit(this, isLocal(this.#request));
    } catch (thrown) {
      this.#broken(thrown);
      return;
    }
    if (admitted instanceof Promise) {
      void admitted.then(
        known => this.#guard(() => this.#go(known)),
        thrown => this.#broken(thrown),
      );
    } else this.#guard(() => this.#go(admitted));
  }

  /** A connection that breaks is told by `close`; without a listener its error would end the process. */
  #listen(): void {
    this.#request.on('error', ignore);
    this.#response.on('error', ignore);
  }

  #go(admitted: Answer | Admitted): void {
    if (admitted.kind === 'answer') this.#refuse(admitted);
    else if (admitted.method === 'POST') this.#read(admitted);
    else this.#respond(admitted, undefined, 0);
  }

  #read(admitted: Admitted): void {
    const request = this.#request;
    if (request.readableEnded) {
      this.#takeParsed(admitted);
      return;
    }
    const { bodyLimit } = this.#gate;
    let only: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bodyLimit) {
        request.off('data', take).off('end', done);
        chunks = undefined;
        this.#guard(() => this.#refuse(this.#gate.tooLarge(admitted)));
      } else if (only === undefined) only = chunk;
      else {
        chunks ??= [only];
        chunks.push(chunk);
      }
    };
    const done = (): void => {
      const body = chunks ? Buffer.concat(chunks) : (only ?? Buffer.alloc(0));
      const text = isUtf8(body) ? body.toString('utf8') : undefined;
      this.#guard(() => this.#respond(admitted, text, bytes));
    };
    request.on('data', take).on('end', done);
  }

  /** Whoever read the body before, such as a framework, left it on the request. */
  #takeParsed(admitted: Admitted): void {
    const { body } = this.#request as { readonly body?: unknown };
    if (typeof body === 'string') this.#respond(admitted, body, Buffer.byteLength(body));
    else if (Buffer.isBuffer(body)) {
      this.#respond(admitted, isUtf8(body) ? body.toString('utf8') : undefined, body.length);
    } else if (body === undefined) this.#respond(admitted, '', 0);
    else {
      const bytes = Number(this.header('content-length') ?? 0);
      const request = this.#gate.parsedRequest(this, admitted, body, bytes);
      this.#hand(request, admitted);
    }
  }

  #respond(admitted: Admitted, text: string | undefined, bytes: number): void {
    this.#hand(this.#gate.request(this, admitted, text, bytes), admitted);
  }

  #hand(request: HttpRequest | Answer, admitted: Admitted): void {
    if ('status' in request) this.#refuse(request);
    else this.#gate.acceptor.respond(request, this.#reply(admitted));
  }

  #reply(admitted: Admitted): NodeReply {
    return new NodeReply(this.#response, this.#gate.heartbeat, admitted.headers);
  }

  #refuse(answer: Answer): void {
    sendAnswer(this.#response, answer);
    // Whatever else comes is read and dropped, so that the client can get round to the answer.
    this.#request.resume();
  }

  /** A bug in one request must not end the others. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      this.#broken(thrown);
    }
  }

  #broken(thrown: unknown): void {
    this.#gate.report('a request could not be handled', thrown);
    sendAnswer(this.#response, { kind: 'answer', status: 500, headers: {} });
  }
}

function ignore(): void {}

/** True when the request came over loopback. */
function isLocal(request: IncomingMessage): boolean {
  const address = request.socket?.localAddress;
  return address !== undefined && isLoopbackAddress(address);
}
