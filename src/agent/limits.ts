/** What a run may use in all, and the error that says which limit was passed. */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';
import { checkNumber } from '../basics/option-checks.ts';
import type { Usage } from '../models/model.ts';

/** Most that one run may use; what is left out is unlimited, 0 allows none. Turns are `maxTurns` of the agent. */
export interface Limits {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input and output together. */
  readonly totalTokens: number;
  /** Requests to the model, failed attempts included; the one too many is not sent. */
  readonly requests: number;
  /** Calls of known tools; the batch that would pass the limit is not run. */
  readonly toolCalls: number;
}

export type LimitKind = keyof Limits;

/** A limit of the run was passed; the cause of a RunError at stage `usage`. */
export class UsageLimitError extends TenonError {
  override readonly name = 'UsageLimitError';
  readonly kind: LimitKind;
  readonly limit: number;
  /** What was used, or would have been. */
  readonly actual: number;

  constructor(facts: { kind: LimitKind; limit: number; actual: number } & FailureOptions) {
    super(`the limit of ${facts.limit} ${words[facts.kind]} is passed: ${facts.actual}`, facts, [
      'UsageLimitError',
    ]);
    this.kind = facts.kind;
    this.limit = facts.limit;
    this.actual = facts.actual;
  }
}

/** True for a `UsageLimitError` of this or any other copy of the package. */
export function isUsageLimitError(value: unknown): value is UsageLimitError {
  return isFailure(value, 'UsageLimitError');
}

const words: Readonly<Record<LimitKind, string>> = {
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  totalTokens: 'tokens in all',
  requests: 'requests',
  toolCalls: 'tool calls',
};

/** Throws a TypeError that names the limit which cannot be used. */
export function checkLimits(limits: Partial<Limits>): void {
  for (const [kind, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(words, kind)) {
      throw new TypeError(
        `Agent: limits.${kind} is not a limit; there are ${Object.keys(words).join(', ')} (turns are maxTurns)`,
      );
    }
    checkNumber('Agent', `limits.${kind}`, limit, { integer: true, min: 0 });
  }
}

/** The limit that this use passes, if any. */
export function passedLimit(
  limits: Partial<Limits>,
  usage: Usage,
  toolCalls: number,
): UsageLimitError | undefined {
  const used: readonly (readonly [LimitKind, number])[] = [
    ['inputTokens', usage.inputTokens],
    ['outputTokens', usage.outputTokens],
    ['totalTokens', usage.inputTokens + usage.outputTokens],
    ['requests', usage.requests],
    ['toolCalls', toolCalls],
  ];
  for (const [kind, actual] of used) {
    const limit = limits[kind];
    if (limit !== undefined && actual > limit) return new UsageLimitError({ kind, limit, actual });
  }
  return undefined;
}
