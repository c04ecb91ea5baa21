/** The typed failure of a model: what kind it is, whether trying again can help, and what it used. */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';
import { countableUsage } from './countable-usage.ts';
import { noUsage, type Usage } from './model.ts';

/**
 * Why a model gave no response.
 * - `rate-limit`: too many requests; `retryAfterMs` says how long to wait, when the provider did
 * - `auth`: the key is missing, wrong or not allowed to do this
 * - `invalid-request`: the provider refuses the request as it is; sending it again cannot help
 * - `server`: a fault of the provider, mostly a passing one
 * - `transport`: no connection, or one that was cut
 * - `timeout`: nothing came for too long; the cause is a TimeoutError
 * - `decode`: an answer that makes no sense
 * - `blank`: an answer without a word
 * - `configuration`: an option or variable is missing or wrong
 * - `refused`: the model declined to answer
 */
export type ModelErrorKind =
  | 'rate-limit'
  | 'auth'
  | 'invalid-request'
  | 'server'
  | 'transport'
  | 'timeout'
  | 'decode'
  | 'blank'
  | 'configuration'
  | 'refused';

export interface ModelFacts extends FailureOptions {
  readonly kind: ModelErrorKind;
  /** Provider and model, as in `Model.name`. */
  readonly provider: string;
  /** Whether the same request may succeed later; false unless said. */
  readonly retryable?: boolean | undefined;
  /** HTTP status, when there was one. */
  readonly status?: number | undefined;
  /** Milliseconds the provider asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** What the failed call used, failed attempts included; nothing unless said. */
  readonly usage?: Usage | undefined;
}

/** A model gave no, or no usable, response. */
export class ModelError extends TenonError {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly provider: string;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly usage: Usage;

  constructor(message: string, facts: ModelFacts) {
    super(message, facts, ['ModelError']);
    this.kind = facts.kind;
    this.provider = facts.provider;
    this.retryable = facts.retryable ?? false;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.usage = facts.usage ?? noUsage;
  }
}

/** True for a `ModelError` of this or any other copy of the package. */
export function isModelError(value: unknown): value is ModelError {
  return isFailure(value, 'ModelError');
}

/** The same failure with other usage, and perhaps other words. */
export function restateModelError(
  error: ModelError,
  usage: Usage,
  message: string = error.message,
  hint: string | undefined = error.hint,
): ModelError {
  const { kind, provider, retryable, status, retryAfterMs, cause } = error;
  const restated = new ModelError(message, {
    kind,
    provider,
    retryable,
    status,
    retryAfterMs,
    hint,
    cause,
    usage,
  });
  // Where it happened is more telling than where it was restated.
  if (error.stack !== undefined) restated.stack = error.stack;
  return restated;
}

/**
 * What a failed call used: what the error says, and where it says nothing one request for each attempt that was
 * dispatched.
 */
export function usageOfFailure(error: unknown, attempts: number): Usage {
  const said = isModelError(error) ? countableUsage(error.usage) : noUsage;
  return { ...said, requests: Math.max(said.requests, attempts) };
}
