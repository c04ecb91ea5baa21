/** The options of a provider's model, checked and made ready for requests. */
import { type Clock, systemClock } from '../../basics/clock.ts';
import { redact } from '../../basics/redact.ts';
import { shorten } from '../../basics/shorten.ts';
import { ModelError } from '../model-error.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { RetryOptions } from '../retry.ts';
import type { BodyDefaults, Provider } from './provider.ts';

export interface ProviderOptions {
  /** The address up to and without the path of the call; http or https. A query is kept. The provider's own unless set. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Nothing is sent when it is missing or blank. */
  readonly apiKey?: string | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The platform's unless set. */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds to wait for an answer, and from one piece of it to the next; 120,000 unless set. */
  readonly timeout?: number | undefined;
  /** How many requests are sent per minute, retries included; unlimited unless set. A `TokenBucket` may be shared. */
  readonly rateLimit?: RateLimit | undefined;
  /** How failures are retried; `false` for not at all. */
  readonly retry?: RetryOptions | false | undefined;
  /** False to ask for whole answers; true unless set. */
  readonly stream?: boolean | undefined;
  /** For requests that set none. */
  readonly temperature?: number | undefined;
  /** For requests that set none. */
  readonly maxTokens?: number | undefined;
  /** Further members of the request, in the provider's own words; they win over ours. */
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
  readonly defaults: BodyDefaults;
}

/** Throws a ModelError of kind `configuration` that names the option which is missing or wrong. */
export function readOptions(provider: Provider, options: ProviderOptions): Settings {
  const wrong = complaint(provider.name);
  const model = text(options.model, () => wrong('model', 'is missing; name the model'));
  const { apiKey = '', headers = {}, stream = true, timeout = 120_000, clock = systemClock } = options;
  const { temperature, maxTokens } = options;
  if (!(timeout > 0)) throw wrong('timeout', `must be milliseconds above 0, got ${timeout}`);
  if (temperature !== undefined && !(temperature >= 0 && temperature <= provider.mostTemperature)) {
    throw wrong('temperature', `must be from 0 to ${provider.mostTemperature}, got ${temperature}`);
  }
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1)) {
    throw wrong('maxTokens', `must be a whole number of at least 1, got ${maxTokens}`);
  }
  const key = apiKey.trim();
  return {
    name: `${provider.name}:${model}`,
    url: toUrl(provider, { baseUrl: options.baseUrl, model, stream }, wrong),
    headers: toHeaders(provider.headers(key), headers, wrong),
    secrets: secretsIn(key, headers),
    // Looked up at each request: tests and runtimes replace it.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeout,
    clock,
    defaults: { model, stream, temperature, maxTokens, extra: options.extra },
  };
}

type Complaint = (option: string, why: string) => ModelError;

function complaint(provider: string): Complaint {
  return (option, why) =>
    new ModelError(`${provider}: ${option} ${why}`, { kind: 'configuration', provider });
}

function toUrl(
  provider: Provider,
  { baseUrl, model, stream }: { readonly baseUrl: unknown; readonly model: string; readonly stream: boolean },
  wrong: Complaint,
): string {
  const given = text(baseUrl ?? provider.baseUrl, () =>
    wrong('baseUrl', 'is missing; give the address of the server, such as https://api.openai.com/v1'),
  );
  if (!URL.canParse(given)) throw wrong('baseUrl', `is not a URL: ${JSON.stringify(showAddress(given))}`);
  const url = new URL(given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw wrong('baseUrl', `must begin with http: or https:, got ${JSON.stringify(showAddress(given))}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw wrong('baseUrl', 'must not hold a user or password; use apiKey or headers');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const call = provider.path(model, stream);
  url.pathname = path.endsWith(call) ? path : `${path}${call}`;
  for (const [name, value] of Object.entries(provider.query?.(stream) ?? {}))
    url.searchParams.set(name, value);
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
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
  wrong: Complaint,
): Readonly<Record<string, string>> {
  const all: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    ...own,
  };
  for (const [name, value] of Object.entries(given)) all[name.toLowerCase()] = value;
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

function text(value: unknown, missing: () => ModelError): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw missing();
}
