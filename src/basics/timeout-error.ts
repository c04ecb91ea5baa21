/** The one error for every limit of time. */
import { type FailureOptions, isFailure, TenonError } from './failure.ts';

/** Which limit ran out. */
export type TimeLimit = 'connect' | 'idle' | 'total' | 'tool';

/** A limit of time ran out. `ms` is the limit itself in milliseconds, `phase` says what was going on. */
export class TimeoutError extends TenonError {
  override readonly name = 'TimeoutError';
  readonly phase: string;
  readonly limit: TimeLimit;
  readonly ms: number;

  constructor(message: string, facts: { phase: string; limit: TimeLimit; ms: number } & FailureOptions) {
    super(message, facts, ['TimeoutError']);
    this.phase = facts.phase;
    this.limit = facts.limit;
    this.ms = facts.ms;
  }
}

/** True for a `TimeoutError` of this or any other copy of the package. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return isFailure(value, 'TimeoutError');
}
