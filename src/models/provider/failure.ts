/** Failures of a provider as ours: what kind, may it be tried again, and when. */
import { parseJson } from '../../basics/json.ts';
import { excerpt } from '../../basics/redact.ts';
import { ModelError, type ModelErrorKind } from '../model-error.ts';
import { decodeError } from './decode-error.ts';

/** How a provider words its failures. */
export interface FailureRules {
  /** What a code, status or type of an error in a body means as an HTTP status; the first that matches counts. */
  readonly words: readonly (readonly [word: RegExp, status: number])[];
  /** The status that an error in a body stands for, where the one it came with misleads. */
  meant?(body: unknown): number | undefined;
  /** The error in a body that came with any status; its member `error` unless said. */
  errorIn?(body: unknown): unknown;
  /** Milliseconds to wait that the body asks for, where the headers say nothing. */
  retryAfter?(body: unknown): number | undefined;
}

export interface FailureFacts {
  readonly provider: string;
  readonly status: number;
  readonly headers: Headers;
  readonly secrets: readonly string[];
  readonly rules: FailureRules;
}

/** The failure for a status of 300 and above, with what its body says in one line. */
export function toFailure(body: string, facts: FailureFacts): ModelError {
  const { provider, status, headers, secrets } = facts;
  if (status < 400) return redirected(facts);
  const parsed = parseJson(body);
  const value = parsed.ok ? first(parsed.value) : undefined;
  const said = messageIn(value);
  const words = excerpt(said ?? body, secrets);
  const { kind, retryable, hint } = classify(facts.rules.meant?.(value) ?? status);
  return new ModelError(`${provider} answered ${status}${words === '' ? '' : `: ${words}`}`, {
    kind,
    provider,
    retryable,
    status,
    retryAfterMs: retryable ? (readRetryAfter(headers) ?? facts.rules.retryAfter?.(value)) : undefined,
    hint,
  });
}

/** The failure in a JSON body that came with any status, also in the middle of a stream; `undefined` when it is none. */
export function failureIn(answer: unknown, facts: FailureFacts): ModelError | undefined {
  const body = first(answer);
  if (typeof body !== 'object' || body === null) return undefined;
  const { rules } = facts;
  const error = rules.errorIn ? rules.errorIn(body) : (body as { readonly error?: unknown }).error;
  if (saysNothing(error)) return undefined;
  const status = statusIn(error, facts.rules) ?? (facts.status >= 400 ? facts.status : undefined);
  // No number at all: the server had begun to answer, so it is its own fault, mostly a passing one.
  const { kind, retryable, hint } = classify(facts.rules.meant?.(body) ?? status ?? 500);
  const words = excerpt(messageIn({ error }) ?? 'it does not say why', facts.secrets);
  return new ModelError(
    `${facts.provider} reports an error${status === undefined ? '' : ` ${status}`}: ${words}`,
    {
      kind,
      provider: facts.provider,
      retryable,
      status: status ?? facts.status,
      retryAfterMs: retryable ? (readRetryAfter(facts.headers) ?? facts.rules.retryAfter?.(body)) : undefined,
      hint,
    },
  );
}

/** The failure that a whole body of status 200 reports in words of its own, where there is no answer in it. */
export function unanswered(answer: unknown, facts: FailureFacts): ModelError {
  const { provider, secrets, rules } = facts;
  const body = first(answer);
  const words = excerpt(messageIn(body) ?? '', secrets);
  const why = `there is no answer in it${words === '' ? '' : `; it says: ${words}`}`;
  const status = statusIn(body, rules);
  if (status === undefined) return decodeError(provider, why);
  const { kind, retryable, hint } = classify(status);
  return new ModelError(`${provider} reports an error ${status}: ${words}`, {
    kind,
    provider,
    retryable,
    status,
    hint,
  });
}

/** Some servers send the member with every answer. */
function saysNothing(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return !error;
  return Object.keys(error).length === 0;
}

/** Some servers put even an error into a list, as they would the pieces of an answer. */
function first(body: unknown): unknown {
  return Array.isArray(body) ? body[0] : body;
}

interface Classified {
  readonly kind: ModelErrorKind;
  readonly retryable: boolean;
  readonly hint?: string;
}

function classify(status: number): Classified {
  if (status === 401 || status === 403) {
    return { kind: 'auth', retryable: false, hint: 'Check the API key, and that it may use this model.' };
  }
  if (status === 404) {
    return { kind: 'invalid-request', retryable: false, hint: 'Check baseUrl and the name of the model.' };
  }
  if (status === 429) return { kind: 'rate-limit', retryable: true };
  if (status === 408) return { kind: 'timeout', retryable: true };
  if (status === 409 || status >= 500) return { kind: 'server', retryable: true };
  return { kind: 'invalid-request', retryable: false };
}

function redirected({ provider, status, headers, secrets }: FailureFacts): ModelError {
  const location = headers.get('location');
  const where = location === null ? '' : ` to ${excerpt(location, secrets)}`;
  return new ModelError(`${provider} answered with a redirect${where}, which is not followed with a key`, {
    kind: 'configuration',
    provider,
    status,
    hint: 'Set baseUrl to the final address.',
  });
}

/** Some servers put the status, others a word, where OpenAI has its code. */
function statusIn(error: unknown, { words }: FailureRules): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, status, type } = error as Readonly<Record<string, unknown>>;
  for (const candidate of [code, status]) {
    const number = typeof candidate === 'string' ? Number(candidate) : candidate;
    if (typeof number === 'number' && Number.isInteger(number) && number >= 400 && number < 600)
      return number;
  }
  const said = [code, status, type].filter(word => typeof word === 'string').join(' ');
  return words.find(([word]) => word.test(said))?.[1];
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message, detail, errors } = body as Readonly<Record<string, unknown>>;
  for (const candidate of [error, (error as { message?: unknown } | undefined)?.message, message, detail]) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return candidate;
  }
  if (!saysNothing(error)) return JSON.stringify(error);
  const more = detail ?? (saysNothing(errors) ? undefined : errors);
  return more === undefined ? undefined : JSON.stringify(more);
}

/** Milliseconds; one second for what cannot be read, never less than none. */
export function readRetryAfter(headers: Headers): number | undefined {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^-?[0-9]+(\.[0-9]+)?$/.test(value)) return Math.max(0, Number(value) * 1000);
  const date = Date.parse(value);
  if (Number.isNaN(date)) return 1000;
  // Measured by the server's own clock where it tells it.
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, date - (Number.isNaN(now) ? Date.now() : now));
}
