/** The refusal to dispatch a request because a budget is used up; nothing retries it. */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';

/** What a budget says when a request may not be sent. */
export interface BudgetFacts extends FailureOptions {
  /** Which limit: such as `calls`, `tokens` or `money`. */
  readonly kind: string;
  readonly limit: number;
  /** What would have been, or already is, used. */
  readonly actual: number;
}

/** Thrown by an `onAttempt` that forbids the dispatch it was told of. */
export class BudgetError extends TenonError {
  override readonly name = 'BudgetError';
  readonly kind: string;
  readonly limit: number;
  readonly actual: number;

  constructor(message: string, facts: BudgetFacts) {
    super(message, facts, ['BudgetError']);
    this.kind = facts.kind;
    this.limit = facts.limit;
    this.actual = facts.actual;
  }
}

/** True for a `BudgetError` of this or any other copy of the package. */
export function isBudgetError(value: unknown): value is BudgetError {
  return isFailure(value, 'BudgetError');
}
