/**
 * The loop of a run: ask the model, run the tools it calls, until it answers. How tools run is in `run-tools.ts`, what
 * an agent is made of in `agent.ts`.
 */
import { messageOf } from '../basics/failure.ts';
import { isBudgetError } from '../models/budget-error.ts';
import { type ModelResponse, type Note, toAssistantMessage } from '../models/collect.ts';
import type { Model, ModelMessage, ModelRequest, RespondOptions, Usage } from '../models/model.ts';
import { ModelError, usageOfFailure } from '../models/model-error.ts';
import { callModel } from './call-model.ts';
import type { RunCounts, RunError } from './errors.ts';
import type { RunObserver } from './events.ts';
import { isUsageLimitError, type Limits, passedLimit, UsageLimitError } from './limits.ts';
import { correction, type OutputPlan, readOutput } from './output.ts';
import { RunState } from './run-state.ts';
import { countKnown, runTools } from './run-tools.ts';
import type { ToolPlan } from './tool-batch.ts';

/** What stays the same over all runs of an agent. */
export interface RunPlan<Deps> {
  readonly model: Model;
  readonly tools: ToolPlan<Deps>;
  /** Text when there is none. */
  readonly output: OutputPlan | undefined;
  readonly limits: Partial<Limits>;
  readonly maxTurns: number;
  /** What goes with every request beside messages. */
  readonly request: Omit<ModelRequest, 'messages'>;
}

/** What is new in each run. */
export interface RunInput<Deps> {
  /** Ready to be sent; the run adds to this list. */
  readonly messages: ModelMessage[];
  readonly deps: Deps;
  readonly signal: AbortSignal | undefined;
  readonly onAttempt: RespondOptions['onAttempt'];
  /** Nothing is made for an observer that is not there. */
  readonly emit: RunObserver | undefined;
}

/** What a run gives. */
export interface RunResult<Output = string> {
  readonly output: Output;
  /** The whole conversation, in order; the `history` of a run that goes on from here. */
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
  readonly counts: RunCounts;
  /** What the model did otherwise than asked, such as leaving out a setting. */
  readonly notes: readonly Note[];
}

/** Rejects with a RunError; with a RunAbortedError whenever the signal aborted, whatever else went wrong. */
export async function runLoop<Deps>(plan: RunPlan<Deps>, input: RunInput<Deps>): Promise<RunResult<unknown>> {
  const { signal, emit } = input;
  const state = new RunState(input.messages);
  emit?.({ type: 'run-start' });
  try {
    const output = await takeTurns(plan, input, state);
    const { messages, usage, counts, notes } = state;
    emit?.({ type: 'run-end', usage, counts });
    return { output, messages, usage, counts, notes };
  } catch (thrown) {
    const error = signal?.aborted === true ? state.aborted(signal.reason) : thrown;
    emit?.({ type: 'run-end', usage: state.usage, counts: state.counts, error });
    throw error;
  }
}

async function takeTurns<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
  state: RunState,
): Promise<unknown> {
  const { emit } = input;
  let answers = 0;
  for (let turn = 1; turn <= plan.maxTurns; turn += 1) {
    emit?.({ type: 'turn-start', turn });
    const response = await askModel(plan, input, state, turn);
    if (response.toolCalls.length > 0) {
      await useTools(plan, input, state, response, turn);
      continue;
    }
    if (response.finish === 'refusal') throw refused(plan, state, response);
    if (plan.output === undefined) return response.text;
    const { schema, retries } = plan.output;
    const read = await readOutput(response.text, schema).catch((error: unknown) => {
      throw state.failure(
        'decode',
        `the output schema could not judge the answer: ${messageOf(error)}`,
        error,
      );
    });
    if (read.ok) return read.value;
    answers += 1;
    if (answers > retries) {
      const tries = answers > 1 ? ` after ${answers} answers` : '';
      throw state.failure('decode', `no usable output${tries}: ${read.error.message}`, read.error, {
        attempts: answers,
      });
    }
    state.messages.push({ role: 'user', content: correction(read.error, schema) });
    emit?.({ type: 'output-rejected', turn, attempt: answers + 1, message: read.error.message });
  }
  throw state.failure(
    'loop',
    `the model gave no final answer within ${plan.maxTurns} turns; raise maxTurns, or ask for less at once`,
    undefined,
  );
}

async function askModel<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
  state: RunState,
  turn: number,
): Promise<ModelResponse> {
  const { model, limits } = plan;
  const { signal, emit } = input;
  signal?.throwIfAborted();
  state.position = { stage: 'model', where: `while waiting for the model in turn ${turn}` };
  state.count({ turns: 1 });
  let attempts = 0;
  let forbidden = false;
  const onAttempt: RespondOptions['onAttempt'] = attempt => {
    try {
      checkRequests(limits, state.usage.requests + attempts + 1);
      input.onAttempt?.(attempt);
    } catch (error) {
      forbidden = true;
      throw error;
    }
    attempts += 1;
  };
  emit?.({ type: 'model-start', turn, model: model.name });
  let response: ModelResponse;
  try {
    const request = { ...plan.request, messages: [...state.messages] };
    response = await callModel(model, request, { turn, signal, onAttempt, emit });
  } catch (error) {
    const usage = usageOfFailure(error, attempts);
    state.spend(usage);
    emit?.({ type: 'model-end', turn, usage, error });
    const isLimit = forbidden || isUsageLimitError(error) || isBudgetError(error);
    if (isLimit) throw state.failure('usage', messageOf(error), error);
    throw state.failure('model', `the model failed in turn ${turn}: ${messageOf(error)}`, error);
  }
  const usage = { ...response.usage, requests: Math.max(response.usage.requests, attempts) };
  state.spend(usage);
  state.notes.push(...response.notes);
  state.messages.push(toAssistantMessage(response));
  emit?.({ type: 'model-end', turn, usage, finish: response.finish });
  if (response.finish === 'length') {
    state.count({ truncatedResponses: 1 });
    const message = 'the response ended at the token limit';
    emit?.({ type: 'note', turn, code: 'response-truncated', message });
  }
  checkUsage(plan, state, 0);
  return response;
}

async function useTools<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
  state: RunState,
  response: ModelResponse,
  turn: number,
): Promise<void> {
  const { deps, signal, emit } = input;
  const calls = response.toolCalls;
  const names = [...new Set(calls.map(call => call.name))].join(', ');
  state.position = { stage: 'tool', where: `while tools ran in turn ${turn} (${names})` };
  signal?.throwIfAborted();
  const known = countKnown(calls, plan.tools);
  checkUsage(plan, state, known);
  const { strikes } = state;
  const result = await runTools(plan.tools, { calls, turn, deps, signal, emit, strikes });
  state.messages.push(...result.messages);
  state.count({
    toolCalls: known,
    rejectedCalls: result.rejected,
    truncatedObservations: result.truncated,
  });
  signal?.throwIfAborted();
  if (result.fatal === undefined) return;
  const { call, error, attempts } = result.fatal;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  throw state.failure('tool', `tool "${call.name}" failed${tries}: ${messageOf(error)}`, error, {
    call,
    attempts,
  });
}

function checkRequests({ requests }: Partial<Limits>, actual: number): void {
  if (requests !== undefined && actual > requests) {
    throw new UsageLimitError({ kind: 'requests', limit: requests, actual });
  }
}

function checkUsage<Deps>(plan: RunPlan<Deps>, state: RunState, moreCalls: number): void {
  const passed = passedLimit(plan.limits, state.usage, state.counts.toolCalls + moreCalls);
  if (passed !== undefined) throw state.failure('usage', passed.message, passed);
}

function refused<Deps>(plan: RunPlan<Deps>, state: RunState, response: ModelResponse): RunError {
  const said = response.text === '' ? '' : `: ${response.text}`;
  const cause = new ModelError(`${plan.model.name} declined to answer${said}`, {
    kind: 'refused',
    provider: plan.model.name,
  });
  return state.failure('model', cause.message, cause);
}
