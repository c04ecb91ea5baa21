/** The options of an OpenAI-compatible model, checked and made ready for requests. */
import { type Clock, systemClock } from '../../basics/clock.ts';
import { redact } from '../../basics/redact.ts';
import { shorten } from '../../basics/shorten.ts';
import { ModelError } from '../model-error.ts';
import type { RetryOptions } from '../retry.ts';

export interface OpenAIOptions {
  /** Up to and without `/chat/completions`, such as `https://api.openai.com/v1`; http or https. A query is kept. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token; nothing is sent when it is missing or blank. */
  readonly apiKey?: string | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The platform's unless set. */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds to wait for an answer, and from one piece of it to the next; 120,000 unless set. */
  readonly timeout?: number | undefined;
  /** How failures are retried; `false` for not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /** False to ask for whole answers; true unless set. */
  readonly stream?: boolean | undefined;
  /** For requests that set none; from 0 to 2. */
  readonly temperature?: number | undefined;
  /** For requests that set none. */
  readonly maxTokens?: number | undefined;
  /** Further members of the request, such as `{ reasoning_effort: 'low' }`; they win over ours. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  readonly clock?: Clock | undefined;
}

/** Options that were checked. */
export interface Settings {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly fetch: typeof fetch;
  readonly timeout: number;
  readonly clock: Clock;
}

/** Throws a ModelError of kind `configuration` that names the option which is missing or wrong. */
export function readOptions(options: OpenAIOptions): Settings {
  const model = text('model', options.model, 'name the model');
  const { apiKey = '', timeout = 120_000, temperature, maxTokens, clock = systemClock } = options;
  if (!(timeout > 0)) throw wrong('timeout', `must be milliseconds above 0, got ${timeout}`);
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) {
    throw wrong('temperature', `must be from 0 to 2, got ${temperature}`);
  }
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throw wrong('maxTokens', `must be a whole number of at least 1, got ${maxTokens}`);
  }
  return {
    name: `openai:${model}`,
    url: toUrl(options.baseUrl),
    headers: toHeaders(apiKey.trim(), options.headers ?? {}),
    secrets: secretsIn(apiKey.trim(), options.headers ?? {}),
    // Looked up at each request: tests and runtimes replace it.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeout,
    clock,
  };
}

function toUrl(baseUrl: unknown): string {
  const given = text('baseUrl', baseUrl, 'give the address of the server, such as https://api.openai.com/v1');
  if (!URL.canParse(given)) throw wrong('baseUrl', `is not a URL: ${JSON.stringify(showAddress(given))}`);
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw wrong('baseUrl', `must begin with http: or https:, got ${JSON.stringify(showAddress(given))}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('baseUrl', 'must not hold a user or password; use apiKey or headers');
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  url.hash = '';
  return url.href;
}

/** A broken address, or what was put in its place, without what may be a secret. */
function showAddress(given: string): string {
  const bare = given
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1***@')
    .replace(/[?#].*/s, '?***')
    .replace(/[\w-]{20,}/g, '***');
  return shorten(redact(bare), 100);
}

function toHeaders(
  apiKey: string,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
  };
  if (apiKey !== '') all['authorization'] = `Bearer ${apiKey}`;
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  try {
    new Headers(all);
  } catch {
    // The platform's message would quote the value, which may be the key.
    throw wrong(
      'apiKey or headers',
      'cannot be sent: a name or value holds characters that headers may not have',
    );
  }
  return Object.freeze(all);
}

function secretsIn(apiKey: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const sensitive = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie/i.test(name));
  return [apiKey, ...sensitive.map(([, value]) => value)].filter(secret => secret !== '');
}

function text(name: string, value: unknown, remedy: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw wrong(name, `is missing; ${remedy}`);
}

function wrong(name: string, why: string): ModelError {
  return new ModelError(`openai: ${name} ${why}`, { kind: 'configuration', provider: 'openai' });
}
