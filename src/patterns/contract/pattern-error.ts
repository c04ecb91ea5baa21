/** The error of a pattern: what went wrong, what it cost until then, and what was found out. */
import { type FailureOptions, isFailure, TenonError } from '../../basics/failure.ts';
import type { Cost } from './result.ts';

/**
 * Why a pattern gave no value.
 * - `disagreement`: the samples do not agree as the strategy demands
 * - `rounds-exhausted`: the model still wanted tools when its rounds were used up
 * - `budget`: a limit of the budget would have been passed; the cause is the BudgetError
 * - `aborted`: the caller's signal; the cause is its reason, and `name` is `AbortError`
 * - `refused`: the model declined to answer
 * - `approval`: nobody decided about a tool call in time, and that was to end it; the cause is the TimeoutError
 * - `samples-failed`: a sample came back blank or its model call failed; the cause is the most telling failure
 * - `run-failed`: the agent loop failed; the cause is what stopped it
 * - `model-failed`: a model call failed or came back blank; the cause is its failure
 * - `unusable-output`: no answer could be used, however often it was asked for again
 * - `judge-failed`: a judge gave no score that can be used
 * - `items-failed`: too few of the items could be worked on; the cause is the most telling failure
 * - `step-failed`: a step of a pipe threw; the cause is what it threw
 */
export type PatternErrorKind =
  | 'disagreement'
  | 'rounds-exhausted'
  | 'budget'
  | 'aborted'
  | 'refused'
  | 'approval'
  | 'samples-failed'
  | 'run-failed'
  | 'model-failed'
  | 'unusable-output'
  | 'judge-failed'
  | 'items-failed'
  | 'step-failed';

/** A pattern gave no value. `cost` counts everything that was dispatched until then. */
export class PatternError extends TenonError {
  override readonly name: 'PatternError' | 'AbortError';
  readonly kind: PatternErrorKind;
  readonly cost: Cost;
  /** What the pattern knows at this point, of the same shape as in its result as far as there is any. */
  readonly evidence: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    facts: {
      readonly kind: PatternErrorKind;
      readonly cost: Cost;
      readonly evidence?: object;
    } & FailureOptions,
  ) {
    super(message, facts, ['PatternError']);
    this.name = facts.kind === 'aborted' ? 'AbortError' : 'PatternError';
    this.kind = facts.kind;
    this.cost = Object.freeze({ ...facts.cost });
    this.evidence = Object.freeze({ ...facts.evidence });
  }

  /** A transcript as its length: it may be long and private. */
  override toJSON(): Record<string, unknown> {
    const messages = this.evidence['messages'];
    const evidence = Array.isArray(messages)
      ? { ...this.evidence, messages: messages.length }
      : this.evidence;
    return { ...super.toJSON(), evidence };
  }
}

/** True for a `PatternError` of this or any other copy of the package. */
export function isPatternError(value: unknown): value is PatternError {
  return isFailure(value, 'PatternError');
}
