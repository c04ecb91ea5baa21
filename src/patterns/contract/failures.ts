/** From what stopped a pattern to the one error its caller gets. */
import { messageOf } from '../../basics/failure.ts';
import { isBudgetError } from '../../models/budget-error.ts';
import { isModelError } from '../../models/model-error.ts';
import { isPatternError, PatternError, type PatternErrorKind } from './pattern-error.ts';
import type { Cost } from './result.ts';

/** The kind for `failure`; `fallback` where nothing more exact fits. `signal` is the caller's. */
export function kindOf(
  failure: unknown,
  signal: AbortSignal | undefined,
  fallback: PatternErrorKind,
): PatternErrorKind {
  if (isBudgetError(failure)) return 'budget';
  if (isAbortOf(signal, failure)) return 'aborted';
  return isModelError(failure) && failure.kind === 'refused' ? 'refused' : fallback;
}

/** What stopped a pattern, as its one error: whatever was thrown, with the cost and what was found out until then. */
export function toPatternError(
  where: string,
  failure: unknown,
  facts: {
    readonly signal: AbortSignal | undefined;
    readonly cost: Cost;
    readonly evidence: object;
    /** The kind where nothing more exact fits; `model-failed` unless set. */
    readonly fallback?: PatternErrorKind | undefined;
    /** What is said unless it was aborted; the failure's own words unless set. */
    readonly message?: string | undefined;
  },
): PatternError {
  const { signal, cost, evidence, fallback = 'model-failed', message = messageOf(failure) } = facts;
  const kind = isPatternError(failure) ? failure.kind : kindOf(failure, signal, fallback);
  const said = kind === 'aborted' ? describeReason(signal?.reason) : message;
  const { hint } = (failure ?? {}) as { readonly hint?: string };
  return new PatternError(`${where}: ${said}`, { kind, cost, evidence, cause: failure, hint });
}

/**
 * Of several failures at once the one that says most: a budget before the caller's abort, that before what trying again
 * cannot mend, that before the rest; among equals the first. Throws a RangeError for an empty list.
 */
export function mostTelling<T>(
  failures: readonly T[],
  errorOf: (failure: T) => unknown,
  signal: AbortSignal | undefined,
): T {
  const rank = (failure: T): number => {
    const error = errorOf(failure);
    if (isBudgetError(error)) return 0;
    if (isAbortOf(signal, error)) return 1;
    return isModelError(error) && !error.retryable ? 2 : 3;
  };
  const [first] = [...failures].sort((a, b) => rank(a) - rank(b));
  if (first === undefined) throw new RangeError('mostTelling: there are no failures');
  return first;
}

/** Why it was aborted, as the end of a sentence. */
export function describeReason(reason: unknown): string {
  return `aborted by the caller: ${messageOf(reason)}`;
}

function isAbortOf(signal: AbortSignal | undefined, failure: unknown): boolean {
  return signal?.aborted === true && failure === signal.reason;
}
