/** From the failure of a served agent to what its caller may read: by its stage where that says enough, else by its cause. */
import { isRunAbortedError, isRunError, type RunStage } from '../../agent/errors.ts';
import { isBudgetError } from '../../models/budget-error.ts';
import type { Cost } from '../../patterns/contract/result.ts';
import { isToolError, ToolError } from '../../tools/tool-error.ts';
import type { OnInternalFailure } from './operator-report.ts';
import { toToolError } from './pattern-failures.ts';
import { refusedCalls } from './refused-calls.ts';

/** Failures whose stage says enough; the others are told by their cause, or by a reference alone. */
const stages: Partial<Record<RunStage, string>> = {
  loop: 'the agent did not come to an answer within its turns; ask for less at once',
  usage: 'the agent has used up what one call may spend; ask for less at once',
  decode: 'the agent did not find an answer of the form it owes; try again or ask in other words',
};

/** The error to throw from the tool. Never throws. */
export function explainRun(error: unknown, onError: OnInternalFailure): ToolError {
  // Of the run's own rounds: it is in words for the caller already.
  if (isToolError(error)) return error;
  if (!isRunError(error)) return toToolError(error, onError);
  const { inputTokens, outputTokens, requests } = error.usage;
  const cost: Cost = { inputTokens, outputTokens, calls: requests };
  const refused = refusedCalls(error.messages);
  const facts = { cost, ...(refused.length > 0 ? { evidence: { refusedCalls: refused } } : {}) };
  const cancelled: boolean = isRunAbortedError(error);
  if (cancelled) {
    return new ToolError('the call was cancelled', { data: { kind: 'aborted', retryable: true, ...facts } });
  }
  // A limit of the agent's own is said of it; a budget is the operator's, and it says itself which.
  const known = isBudgetError(error.cause) ? undefined : stages[error.stage];
  if (known !== undefined) {
    return new ToolError(known, { data: { kind: error.stage, retryable: true, ...facts }, cause: error });
  }
  const { message, data } = toToolError(error, onError);
  return new ToolError(message, { data: { ...(data as object), ...facts }, cause: error });
}
