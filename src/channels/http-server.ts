/** What every HTTP request is checked for before a server sees it, on any runtime: a pure ladder, first fault first. */
import { systemClock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { isDeeperThan, parseJson } from '../basics/json.ts';
import { notify } from '../basics/notify.ts';
import { codes, errorResponse } from '../rpc/protocol-error.ts';
import type { HttpAcceptor, HttpRequest } from './channel.ts';
import { type Accepts, readAccept } from './http-server-accept.ts';
import { type HttpHead, readVerdict } from './http-server-auth.ts';
import { Cors } from './http-server-cors.ts';
import { Heartbeat } from './http-server-events.ts';
import { mediaFault } from './http-server-media.ts';
import type { HttpServerOptions } from './http-server-options.ts';
import { hostFault, isAllowedOrigin, originFault, siteFault } from './http-server-origin.ts';

/** A whole reply that needs no server. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

/** A request that may go on to the server, once its body was read. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly method: HttpRequest['method'];
  readonly accepts: Accepts;
  readonly principal: string | undefined;
  /** Headers for whatever the reply will be. */
  readonly headers: Readonly<Record<string, string>>;
}

const allow = { Allow: 'GET, POST, DELETE' };
const noHeaders: Readonly<Record<string, string>> = {};

export class HttpGate {
  readonly acceptor: HttpAcceptor;
  readonly heartbeat: Heartbeat;
  readonly bodyLimit: number;
  readonly #options: HttpServerOptions;
  readonly #cors: Cors | undefined;

  constructor(acceptor: HttpAcceptor, options: HttpServerOptions) {
    const { bodyLimit = 4 * 1024 * 1024, heartbeat = 15_000, clock = systemClock } = options;
    this.acceptor = acceptor;
    this.bodyLimit = bodyLimit;
    this.heartbeat = new Heartbeat(clock, heartbeat);
    this.#options = options;
    const cors = options.cors ?? options.allowedOrigins !== undefined;
    this.#cors = cors ? new Cors(acceptor.headers) : undefined;
  }

  /** Checks the head of a request. `local`: it came over loopback. Never throws or rejects. */
  admit(head: HttpHead, local: boolean): Answer | Admitted | Promise<Answer | Admitted> {
    const { authenticate } = this.#options;
    const pass = this.#checkPage(head, local);
    if ('kind' in pass) return pass;
    const { headers } = pass;
    const { method } = head;
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') {
      return refuse(405, `${method.slice(0, 20)} is not answered here; use POST`, { ...headers, ...allow });
    }
    if (!authenticate) return this.#negotiate(head, method, headers, undefined);
    try {
      const who: unknown = authenticate(head);
      if (!isThenable(who)) return this.#welcome(who, head, method, headers);
      return Promise.resolve(who)
        .then(known => this.#welcome(known, head, method, headers))
        .catch((thrown: unknown) => this.#failed(thrown, headers));
    } catch (thrown) {
      return this.#failed(thrown, headers);
    }
  }

  /** The answer to a request for another path than the one served, which a page may read as it may all others. */
  astray(head: HttpHead, local: boolean, why: string): Answer {
    const pass = this.#checkPage(head, local);
    if ('kind' in pass) return pass;
    const headers = { 'Content-Type': 'text/plain', ...pass.headers };
    return { kind: 'answer', status: 404, headers, body: why };
  }

  /** The request with its body, or why that cannot be read. `text` is absent when the body is no UTF-8. */
  request(head: HttpHead, admitted: Admitted, text: string | undefined, bytes: number): HttpRequest | Answer {
    if (admitted.method !== 'POST') return toRequest(head, admitted, undefined, 0);
    const plain = text?.startsWith('\uFEFF') ? text.slice(1) : text;
    const { depth } = this.#options;
    const parsed =
      plain === undefined
        ? { ok: false as const, reason: 'the body is not UTF-8' }
        : parseJson(plain, depth === undefined ? undefined : { depth });
    if (parsed.ok) return toRequest(head, admitted, parsed.value, bytes);
    const error = errorResponse(null, codes.parseError, `the body is no JSON: ${parsed.reason}`);
    return answer(400, error, admitted.headers);
  }

  /** The request with a body that somebody else has parsed. */
  parsedRequest(head: HttpHead, admitted: Admitted, value: unknown, bytes: number): HttpRequest | Answer {
    const { depth = 512 } = this.#options;
    if (!isDeeperThan(value, depth)) return toRequest(head, admitted, value, bytes);
    const why = `the body is no JSON: nested more than ${depth} levels deep`;
    return answer(400, errorResponse(null, codes.parseError, why), admitted.headers);
  }

  /** The answer to a body that is too large. */
  tooLarge(admitted: Admitted): Answer {
    const why = `the body has more than ${this.bodyLimit} bytes, the most that is read here`;
    return refuse(413, why, admitted.headers);
  }

  /** Something failed that should not. */
  report(what: string, thrown: unknown): void {
    const message = `${what}: ${messageOf(thrown)}`;
    notify(this.#options.onDiagnostic, { kind: 'internal', message, data: thrown });
  }

  /** Whether the host may be named and the page may call, with what a page is told then; or a preflight's answer. */
  #checkPage(head: HttpHead, local: boolean): Answer | { readonly headers: Answer['headers'] } {
    const { allowedHosts, allowedOrigins } = this.#options;
    const host = head.header('host');
    const origin = head.header('origin');
    // Whoever stands in between may go by another one of them than this end.
    if (host?.includes(',')) return refuse(400, 'Host is there more than once; send one');
    const page =
      origin === undefined
        ? siteFault(head.header('sec-fetch-site'), host, allowedOrigins)
        : originFault(origin, host, allowedOrigins);
    const stranger = hostFault(host, allowedHosts, local) ?? page;
    if (stranger !== undefined) return refuse(403, stranger);
    const headers = this.#corsHeaders(origin);
    if (head.method !== 'OPTIONS' || !this.#cors || origin === undefined) return { headers };
    const wanted = head.header('access-control-request-headers');
    const preflight = this.#cors.preflightHeaders(headers['Access-Control-Allow-Origin'] ?? origin, wanted);
    return { kind: 'answer', status: 204, headers: preflight };
  }

  /** Throws when `given` is neither an identity nor a denial. */
  #welcome(
    given: unknown,
    head: HttpHead,
    method: HttpRequest['method'],
    headers: Readonly<Record<string, string>>,
  ): Answer | Admitted {
    const who = readVerdict(given);
    if ('principal' in who) return this.#negotiate(head, method, headers, who.principal);
    const { status, challenge = status === 401 ? 'Bearer' : undefined, message } = who;
    const why = message ?? (status === 401 ? 'it is not known who calls' : 'the caller may not do this');
    // A line break would end the header early.
    const safe = challenge?.replace(/[^\t\x20-\x7e]/g, ' ');
    return refuse(status, why, { ...headers, ...(safe === undefined ? {} : { 'WWW-Authenticate': safe }) });
  }

  #failed(thrown: unknown, headers: Readonly<Record<string, string>>): Answer {
    this.report('authenticate failed', thrown);
    const error = errorResponse(
      null,
      codes.internalError,
      'the caller could not be checked; try again later',
    );
    return answer(500, error, headers);
  }

  #negotiate(
    head: HttpHead,
    method: HttpRequest['method'],
    headers: Readonly<Record<string, string>>,
    principal: string | undefined,
  ): Answer | Admitted {
    const accepts = readAccept(head.header('accept'));
    if (method === 'GET' && !accepts.stream) {
      return refuse(406, 'a GET opens an event stream; send Accept: text/event-stream', headers);
    }
    if (method === 'POST') {
      const media = mediaFault(head.header('content-type'), head.header('content-encoding'));
      if (media !== undefined) return refuse(415, media, headers);
      if (!accepts.json && !accepts.stream) {
        return refuse(406, 'send Accept: application/json, text/event-stream', headers);
      }
    }
    const admitted: Admitted = { kind: 'admitted', method, accepts, principal, headers };
    return Number(head.header('content-length') ?? 0) > this.bodyLimit && method === 'POST'
      ? this.tooLarge(admitted)
      : admitted;
  }

  #corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
    if (!this.#cors || origin === undefined) return noHeaders;
    const { allowedOrigins } = this.#options;
    // Loopback pages passed the check too, which without the option are the only ones.
    const known =
      isAllowedOrigin(origin, allowedOrigins) || originFault(origin, 'localhost', []) === undefined;
    return known ? this.#cors.replyHeaders(origin) : noHeaders;
  }
}

function toRequest(head: HttpHead, admitted: Admitted, body: unknown, bytes: number): HttpRequest {
  const { method, accepts, principal } = admitted;
  const header = (name: string): string | undefined => head.header(name);
  const { url } = head;
  return principal === undefined
    ? { method, url, accepts, body, bytes, header }
    : { method, url, accepts, body, bytes, header, principal };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function refuse(status: number, why: string, headers: Readonly<Record<string, string>> = noHeaders): Answer {
  return answer(status, errorResponse(null, codes.invalidRequest, why), headers);
}

function answer(status: number, body: object, headers: Readonly<Record<string, string>>): Answer {
  return {
    kind: 'answer',
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
