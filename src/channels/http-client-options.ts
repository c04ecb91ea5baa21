/** What an HTTP channel can be told, checked once and put into the form that requests use. */
import { checkNumber } from '../basics/option-checks.ts';
import { redact } from '../basics/redact.ts';
import { flattenHeaders, type HeaderSource } from './http-client-headers.ts';
import type { HttpTransport } from './http-transport.ts';
import { type Fetch, fetchTransport } from './http-transport-fetch.ts';
import { nodeTransport } from './http-transport-node.ts';

export interface HttpOptions {
  /** Extra headers, or a function that is called for each request and may take its time. */
  readonly headers?: HeaderSource | undefined;
  /** Sends every request; `node:http` on Node unless given, the global `fetch` elsewhere. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * The stream for what belongs to no request: opened when a handler or a watcher needs it unless set; `true` opens it
   * always, `false` never.
   */
  readonly openStream?: boolean | undefined;
  /** For people, errors and the memory of what the server speaks; the URL without its secrets by default. */
  readonly label?: string | undefined;
  /** Most bytes of one reply, and of one event; 32 MiB. */
  readonly replyLimit?: number | undefined;
}

export interface HttpSettings {
  readonly url: string;
  readonly origin: string;
  readonly label: string;
  readonly headers: HeaderSource | undefined;
  readonly openStream: boolean | undefined;
  readonly replyLimit: number;
  /** What of the URL is nobody's business: masked wherever the peer repeats it. */
  readonly secrets: readonly string[];
  /** A fresh one for each connection. */
  readonly transport: () => HttpTransport;
}

/** Throws a `TypeError` that names the option when one cannot be used. */
export function readHttpOptions(given: string | URL, options: HttpOptions): HttpSettings {
  const url = readUrl(given);
  const { headers, openStream, replyLimit = 32 * 1024 * 1024, label = showUrl(url) } = options;
  checkNumber('http', 'replyLimit', replyLimit, { integer: true, min: 1 });
  const credentials = basicCredentials(url);
  const secrets = secretsOf(url);
  url.username = '';
  url.password = '';
  return {
    // As it was given: a slash more or less may be another resource.
    url: credentials || typeof given !== 'string' ? url.href : given,
    origin: url.origin,
    label,
    headers: readHeaders(headers, credentials),
    openStream,
    replyLimit,
    secrets,
    transport: chooseTransport(options.fetch),
  };
}

function readUrl(given: string | URL): URL {
  const url = URL.canParse(String(given)) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    url.hash = '';
    return url;
  }
  const shown = url ? `one of ${url.protocol}` : JSON.stringify(redact(String(given)).slice(0, 80));
  throw new TypeError(`http: the URL must begin with http:// or https://, got ${shown}`);
}

/** Names of query parameters are shown, their values are not: some are keys. */
export function showUrl(given: string | URL): string {
  const url = new URL(given);
  const names = [...url.searchParams.keys()].map(name => `${name}=***`);
  return `${url.origin}${url.pathname}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

/** What stands before the host of a URL travels as a header; not every client sends it by itself. */
function basicCredentials(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const text = `${decoded(url.username)}:${decoded(url.password)}`;
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError(
      'http: the user name or password in the URL is not percent-encoded text: write a "%" in it as "%25"',
    );
  }
}

/** Short ones are words that a message may need. */
function secretsOf(url: URL): string[] {
  return [decoded(url.password), ...url.searchParams.values()].filter(value => value.length >= 6);
}

function readHeaders(headers: HeaderSource | undefined, credentials?: string): HeaderSource | undefined {
  const own = credentials === undefined ? {} : { authorization: credentials };
  if (headers === undefined) return credentials === undefined ? undefined : own;
  if (typeof headers !== 'function') return { ...own, ...flattenHeaders(headers) };
  if (credentials === undefined) return headers;
  return async context => ({ ...own, ...flattenHeaders(await headers(context)) });
}

function chooseTransport(fetch: typeof globalThis.fetch | undefined): () => HttpTransport {
  if (fetch !== undefined) return () => fetchTransport(fetch as Fetch);
  // Looked up at each use: tests and instrumentation replace the global.
  return () =>
    nodeTransport() ?? fetchTransport((url, init) => globalThis.fetch(url, init) as ReturnType<Fetch>);
}
