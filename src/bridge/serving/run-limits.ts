/** The part of a call's budget that a run keeps itself, also over the rounds in which it waited for approval. */
import type { Limits } from '../../agent/limits.ts';
import type { BudgetLimits } from '../../patterns/budget.ts';

/** Calls and tokens. Money and time are the budget's, which begins anew when a run goes on. */
export function limitsOf({ calls, inputTokens, outputTokens, tokens }: BudgetLimits = {}): Partial<Limits> {
  return {
    ...(calls === undefined ? {} : { requests: calls }),
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(tokens === undefined ? {} : { totalTokens: tokens }),
  };
}
