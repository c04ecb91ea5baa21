/** What AI SDK models throw, or put into a stream, as our failures: what kind, and may it be tried again. */
import { messageOf } from '../../basics/failure.ts';
import { isObject } from '../../basics/json.ts';
import { excerpt } from '../../basics/redact.ts';
import { isModelError, ModelError, type ModelErrorKind } from '../../models/model-error.ts';
import { type FailureRules, failureIn, toFailure as httpFailure } from '../../models/provider/failure.ts';

/** Names of the errors that are not about one answer over HTTP. */
const kinds: Readonly<Record<string, ModelErrorKind>> = {
  AI_LoadAPIKeyError: 'configuration',
  AI_LoadSettingError: 'configuration',
  AI_NoSuchModelError: 'configuration',
  AI_InvalidArgumentError: 'invalid-request',
  AI_InvalidPromptError: 'invalid-request',
  AI_UnsupportedFunctionalityError: 'invalid-request',
  AI_TooManyEmbeddingValuesForCallError: 'invalid-request',
  AI_EmptyResponseBodyError: 'decode',
  AI_InvalidResponseDataError: 'decode',
  AI_JSONParseError: 'decode',
  AI_NoContentGeneratedError: 'decode',
  AI_TypeValidationError: 'decode',
  TimeoutError: 'timeout',
};

/** Providers put their own error objects into a stream; these are the words that several of them use. */
const rules: FailureRules = {
  words: [
    [/rate_?limit|quota|resource_exhausted/i, 429],
    [/auth|api_key|permission/i, 401],
    [/overloaded|unavailable/i, 503],
    [/invalid|not_found|context_length/i, 400],
  ],
};

/** The failure; a ModelError is given back as it is. */
export function toFailure(thrown: unknown, provider: string): ModelError {
  if (isModelError(thrown)) return thrown;
  if (!(thrown instanceof Error)) return toldFailure(thrown, provider);
  const { statusCode, isRetryable } = thrown as {
    readonly statusCode?: unknown;
    readonly isRetryable?: unknown;
  };
  if (typeof statusCode === 'number' && statusCode >= 300) return answered(thrown, statusCode, provider);
  const kind = kinds[thrown.name] ?? (isTransport(thrown) ? 'transport' : 'server');
  const retryable = isRetryable === true || kind === 'timeout' || kind === 'transport';
  return failed(thrown, provider, { kind, retryable });
}

function answered(error: Error, status: number, provider: string): ModelError {
  const { responseHeaders, responseBody, isRetryable } = error as Readonly<Record<string, unknown>> & Error;
  const headers = new Headers(isObject(responseHeaders) ? (responseHeaders as Record<string, string>) : {});
  const body = typeof responseBody === 'string' && responseBody !== '' ? responseBody : error.message;
  const told = httpFailure(body, { provider, status, headers, secrets: [], rules });
  const { message, kind, retryAfterMs, hint } = told;
  const retryable = told.retryable || isRetryable === true;
  // Not the cause as well: it holds the whole request, and words of the provider that may quote a key.
  return new ModelError(message, { kind, provider, retryable, status, retryAfterMs, hint });
}

/** An error object of the provider, or its words alone. */
function toldFailure(told: unknown, provider: string): ModelError {
  const error = isObject(told) && isObject(told['error']) ? told['error'] : told;
  const facts = { provider, status: 200, headers: new Headers(), secrets: [], rules };
  return failureIn({ error }, facts) ?? failed(told, provider, { kind: 'server', retryable: false });
}

function failed(
  thrown: unknown,
  provider: string,
  facts: { readonly kind: ModelErrorKind; readonly retryable: boolean },
): ModelError {
  const words = excerpt(messageOf(thrown)) || 'it does not say why';
  return new ModelError(`${provider} failed: ${words}`, { ...facts, provider, cause: thrown });
}

/** The SDK's own error for "no connection" has no status; platforms throw a TypeError. */
function isTransport(error: Error): boolean {
  return error.name === 'AI_APICallError' || (error instanceof TypeError && error.cause !== undefined);
}
