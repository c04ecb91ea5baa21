/** What a pattern gives: a value, its score, what it cost and the evidence. */

/** What was spent. Every request that was dispatched is a call, failed attempts included; all are at least 0. */
export interface Cost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly calls: number;
}

/** The outcome of a pattern; frozen. */
export interface PatternResult<T, Evidence = unknown> {
  readonly value: T;
  /** From 0 to 1 where the pattern can say how sure it is, else `undefined`. */
  readonly score: number | undefined;
  readonly cost: Cost;
  /** How the pattern came to its value. */
  readonly evidence: Evidence;
}

/** Nothing spent. */
export const noCost: Cost = Object.freeze({ inputTokens: 0, outputTokens: 0, calls: 0 });

export function addCost(a: Cost, b: Cost): Cost {
  return Object.freeze({
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    calls: a.calls + b.calls,
  });
}

/** Freezes a result, its cost and its evidence; lists inside the evidence are frozen by their makers. */
export function freezeResult<T, Evidence extends object>(
  result: PatternResult<T, Evidence>,
): PatternResult<T, Evidence> {
  return Object.freeze({
    ...result,
    cost: Object.freeze({ ...result.cost }),
    evidence: Object.freeze(result.evidence),
  });
}
