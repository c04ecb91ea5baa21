/** A server as a function from a web Request to a web Response, for every runtime that has these. */
import type { EventStream, HttpReply, HttpServed, ServerEvent } from './channel.ts';
import { type Admitted, type Answer, HttpGate } from './http-server.ts';
import type { HttpHead } from './http-server-auth.ts';
import { type Heartbeat, printBody, printEvent, type Quiet, streamHeaders } from './http-server-events.ts';
import { checkHttpOptions, type HttpServerOptions } from './http-server-options.ts';
import { cameOverLoopback } from './http-web-arrival.ts';

/** Answers one request; it never rejects. */
export interface WebHandler {
  /**
   * `connection` tells whether the request came over loopback: the second argument that `Bun.serve` and `Deno.serve`
   * call handlers with, a socket of Node, or `{ localAddress }` or `{ remoteAddress }`. Anything else tells nothing.
   */
  (request: Request, connection?: unknown): Promise<Response>;
  /** Ends all sessions, streams and calls; these get `grace` milliseconds. Requests are answered with 503 then. */
  close(reason?: unknown, grace?: number): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

const utf8 = new TextEncoder();
/** The most bytes that may wait for a client that does not read; then it is sent away. */
const mostUnread = 32 * 1024 * 1024;

/**
 * Serves `server` to whatever requests the handler is called with, on any path. Where the runtime does not tell on
 * which address they come in, web pages are told by their own headers alone; `allowedHosts` makes that two checks.
 * Throws a TypeError when an option cannot be used.
 */
export function webHandler(server: HttpServed, options: HttpServerOptions = {}): WebHandler {
  checkHttpOptions('handler', options);
  const acceptor = server.acceptHttp(options);
  const gate = new HttpGate(acceptor, options);
  const handle = async (request: Request, connection?: unknown): Promise<Response> => {
    try {
      return await answerRequest(gate, request, cameOverLoopback(request, connection));
    } catch (thrown) {
      gate.report('a request could not be handled', thrown);
      return new Response(null, { status: 500 });
    }
  };
  return Object.assign(handle, {
    async close(reason: unknown = new DOMException('the server was closed', 'AbortError'), grace = 0) {
      await acceptor.close(reason, grace);
      gate.heartbeat.close();
    },
  });
}

async function answerRequest(gate: HttpGate, request: Request, local: boolean): Promise<Response> {
  const head: HttpHead = {
    method: request.method,
    url: request.url,
    // Some runtimes keep the Host to themselves; the URL was made of it.
    header: name => request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : undefined),
  };
  const admitted = await gate.admit(head, local);
  if (admitted.kind === 'answer') return toResponse(admitted);
  const body = admitted.method === 'POST' ? await readBody(request, gate.bodyLimit) : noBody;
  if (body === 'too large') return toResponse(gate.tooLarge(admitted));
  const checked = gate.request(head, admitted, body.text, body.bytes);
  if ('status' in checked) return toResponse(checked);
  return new Promise(resolve => {
    gate.acceptor.respond(checked, new WebReply(request, gate.heartbeat, admitted, resolve));
  });
}

interface Body {
  /** Absent when the bytes are no UTF-8. */
  readonly text: string | undefined;
  readonly bytes: number;
}

const noBody: Body = { text: '', bytes: 0 };

async function readBody(request: Request, limit: number): Promise<Body | 'too large'> {
  if (!request.body) return noBody;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value as Uint8Array;
    bytes += chunk.length;
    if (bytes > limit) {
      // Nobody waits for what becomes of the rest.
      reader.cancel().catch(() => undefined);
      return 'too large';
    }
    chunks.push(chunk);
  }
  try {
    const text = chunks.map(chunk => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
    return { text, bytes };
  } catch {
    return { text: undefined, bytes };
  }
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body ?? null, { status, headers });
}

class WebReply implements HttpReply {
  readonly #request: Request;
  readonly #heartbeat: Heartbeat;
  readonly #headers: Headers;
  readonly #resolve: (response: Response) => void;
  #stream: WebStream | undefined;
  #complete = false;
  #left: (() => void) | undefined;

  constructor(
    request: Request,
    heartbeat: Heartbeat,
    admitted: Admitted,
    resolve: (response: Response) => void,
  ) {
    this.#request = request;
    this.#heartbeat = heartbeat;
    this.#headers = admitted.headers;
    this.#resolve = resolve;
  }

  whole(status: number, body?: object, headers?: Headers): void {
    if (this.#complete || this.#stream) return;
    this.#finish();
    const text = body === undefined ? undefined : printBody(body);
    const type: Headers = text === undefined ? {} : { 'Content-Type': 'application/json' };
    this.#resolve(new Response(text ?? null, { status, headers: { ...type, ...this.#headers, ...headers } }));
  }

  stream(headers?: Headers): EventStream {
    if (!this.#stream) {
      this.#stream = new WebStream(this.#heartbeat, gone => (gone ? this.#leave() : this.#finish()));
      const all = { ...streamHeaders, ...this.#headers, ...headers };
      if (this.#complete) this.#stream.end();
      else this.#resolve(new Response(this.#stream.body, { status: 200, headers: all }));
    }
    return this.#stream;
  }

  onLeave(left: () => void): void {
    if (this.#complete) return;
    this.#left = left;
    const { signal } = this.#request;
    // Later, because who asks is about to begin.
    if (signal.aborted) queueMicrotask(() => this.#leave());
    else signal.addEventListener('abort', this.#leave);
  }

  readonly #leave = (): void => {
    if (this.#complete) return;
    const left = this.#left;
    this.#finish();
    this.#stream?.end();
    // The client is gone, but whoever called the handler still waits for a response.
    this.#resolve(new Response(null, { status: 499 }));
    left?.();
  };

  #finish(): void {
    this.#complete = true;
    this.#left = undefined;
    this.#request.signal.removeEventListener('abort', this.#leave);
  }
}

class WebStream implements EventStream, Quiet {
  readonly body: ReadableStream<Uint8Array>;
  readonly #heartbeat: Heartbeat;
  readonly #ended: (gone: boolean) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #open = true;
  #silent = true;

  /** `ended` is called once; `gone` when the client went before the end. */
  constructor(heartbeat: Heartbeat, ended: (gone: boolean) => void) {
    this.#heartbeat = heartbeat.alone();
    this.#ended = ended;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: controller => {
          this.#controller = controller;
        },
        cancel: () => this.#close(true),
      },
      { highWaterMark: mostUnread, size: chunk => chunk?.byteLength ?? 0 },
    );
    this.#heartbeat.add(this);
    // Some runtimes keep the head of the response until its body begins, and the client waits for it.
    queueMicrotask(() => {
      if (this.#silent) this.comment();
    });
  }

  send(event: ServerEvent): void {
    this.#write(printEvent(event));
  }

  comment(): void {
    this.#write(':\n\n');
  }

  end(): void {
    if (!this.#open) return;
    this.#close(false);
    this.#controller?.close();
  }

  #write(text: string): void {
    if (!this.#open || text === '') return;
    this.#silent = false;
    if ((this.#controller?.desiredSize ?? 0) < 0) {
      this.#close(true);
      this.#controller?.error(new DOMException('the client does not read what it is sent', 'AbortError'));
    } else this.#controller?.enqueue(utf8.encode(text));
  }

  #close(gone: boolean): void {
    if (!this.#open) return;
    this.#open = false;
    this.#heartbeat.delete(this);
    this.#heartbeat.close();
    this.#ended(gone);
  }
}
