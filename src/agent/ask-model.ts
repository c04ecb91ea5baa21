/** One turn's question to the model: within the limits, counted, and told of; the answer joins the transcript. */
import { messageOf } from '../basics/failure.ts';
import { isBudgetError } from '../models/budget-error.ts';
import { type ModelResponse, toAssistantMessage } from '../models/collect.ts';
import { type ModelRequest, noUsage, type RespondOptions } from '../models/model.ts';
import { usageOfFailure } from '../models/model-error.ts';
import { callModel } from './call-model.ts';
import { isUsageLimitError } from './limits.ts';
import type { RunInput, RunPlan } from './run-plan.ts';
import type { RunState } from './run-state.ts';
import { traceModel } from './run-trace.ts';

/** Rejects with a RunError, or with the signal's reason. */
export async function askModel<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
  state: RunState,
  request: ModelRequest,
  turn: number,
): Promise<ModelResponse> {
  const { model } = plan;
  const { signal, emit } = input;
  signal?.throwIfAborted();
  state.position = { stage: 'model', where: `while waiting for the model in turn ${turn}` };
  state.count({ turns: 1 });
  let attempts = 0;
  let forbidden = false;
  const onAttempt: RespondOptions['onAttempt'] = attempt => {
    try {
      state.ledger.dispatch();
      allowed(() => input.onAttempt?.(attempt), state);
    } catch (error) {
      forbidden = true;
      throw error;
    }
    attempts += 1;
  };
  emit?.({ type: 'model-start', turn, model: model.name });
  let response: ModelResponse;
  try {
    const facts = { turn, signal, onAttempt, emit };
    response = await traceModel(plan.tracing, input.trace, request, () => callModel(model, request, facts));
  } catch (error) {
    const usage = usageOfFailure(error, attempts);
    state.spend(usage, attempts);
    emit?.({ type: 'model-end', turn, usage, error });
    const isLimit = forbidden || isUsageLimitError(error) || isBudgetError(error);
    if (isLimit) throw state.failure('usage', messageOf(error), error);
    throw state.failure('model', `the model failed in turn ${turn}: ${messageOf(error)}`, error);
  }
  const usage = { ...response.usage, requests: Math.max(response.usage.requests, attempts) };
  state.spend(usage, attempts);
  state.notes.push(...response.notes);
  state.messages.push(toAssistantMessage(response));
  emit?.({ type: 'model-end', turn, usage, finish: response.finish });
  if (response.finish === 'length') {
    state.count({ truncatedResponses: 1 });
    const message = 'the response ended at the token limit';
    emit?.({ type: 'note', turn, code: 'response-truncated', message });
  }
  checkUsage(state, 0);
  return response;
}

/** A dispatch that is forbidden after all is not counted. */
function allowed(ask: () => void, state: RunState): void {
  try {
    ask();
  } catch (error) {
    state.ledger.settle(noUsage, 1);
    throw error;
  }
}

/** Throws a RunError when what was used, and so many calls more, passes a limit. */
export function checkUsage(state: RunState, moreCalls: number): void {
  const passed = state.ledger.passed(moreCalls);
  if (passed !== undefined) throw state.failure('usage', passed.message, passed);
}
