/** A server on node:http: takes requests and responses as Node has them and builds no web objects. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServed } from './channel.ts';
import { type Admitted, type Answer, HttpGate } from './http-server.ts';
import type { HttpHead } from './http-server-auth.ts';
import { checkHttpOptions, type HttpServerOptions } from './http-server-options.ts';
import { isLoopback } from './http-server-origin.ts';
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
  checkHttpOptions('nodeHandler', options);
  const acceptor = server.acceptHttp(options);
  const gate = new HttpGate(acceptor, options);
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    new NodeTrip(gate, request, response).begin();
  return Object.assign(handle, {
    async close(reason: unknown = new DOMException('the server was closed', 'AbortError'), grace = 0) {
      await acceptor.close(reason, grace);
      gate.heartbeat.close();
    },
  });
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
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return Array.isArray(value) ? value.join(', ') : value;
  }

  begin(): void {
    // A connection that breaks is told by `close`; without a listener its error would end the process.
    this.#request.on('error', ignore);
    this.#response.on('error', ignore);
    const admitted = this.#gate.admit(this, isLocal(this.#request));
    if (admitted instanceof Promise) void admitted.then(known => this.#guard(() => this.#go(known)));
    else this.#guard(() => this.#go(admitted));
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
      this.#gate.acceptor.respond(request, this.#reply(admitted));
    }
  }

  #respond(admitted: Admitted, text: string | undefined, bytes: number): void {
    const request = this.#gate.request(this, admitted, text, bytes);
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
      this.#gate.report('a request could not be handled', thrown);
      sendAnswer(this.#response, { kind: 'answer', status: 500, headers: {} });
    }
  }
}

function ignore(): void {}

/** True when the request came over loopback. */
function isLocal(request: IncomingMessage): boolean {
  const address = request.socket?.localAddress;
  if (address === undefined) return false;
  return address === '::1' || isLoopback(address.replace(/^::ffff:/, ''));
}
