/** The end of a run: the model's answer judged, and taken or sent back to be corrected. */
import { raceAbort } from '../../basics/abort.ts';
import { messageOf } from '../../basics/failure.ts';
import type { ModelResponse } from '../../models/collect.ts';
import type { ToolCall } from '../../models/model.ts';
import { ModelError } from '../../models/model-error.ts';
import type { Offer } from '../calls/offer.ts';
import type { RunError } from '../errors.ts';
import type { RunInput, RunPlan } from '../run-plan.ts';
import type { RunState } from '../run-state.ts';
import { correction, type OutputPlan, type ReadOutput, readOutput } from './output.ts';
import { closeCalls, readOutputCall } from './output-tool.ts';

/** A response to be judged, and how many were before it. */
export interface Answer<Deps> {
  readonly response: ModelResponse;
  readonly offer: Offer<Deps>;
  readonly turn: number;
  readonly before: number;
}

export type Taken = { readonly done: true; readonly value: unknown } | { readonly done: false };

/** The first call of the output tool, when there is one: it is the answer, and no other call of its turn is run. */
export function outputCall<Deps>(response: ModelResponse, offer: Offer<Deps>): ToolCall | undefined {
  return response.toolCalls.find(call => call.name === offer.outputTool);
}

/** Rejects with a RunError for a refusal, for an answer too many that does not fit, and when it cannot be judged. */
export async function takeAnswer<Deps>(
  plan: RunPlan<Deps>,
  { emit, signal }: RunInput<Deps>,
  state: RunState,
  { response, offer, turn, before }: Answer<Deps>,
): Promise<Taken> {
  const call = outputCall(response, offer);
  if (call === undefined && response.finish === 'refusal') throw refused(plan, state, response);
  const { output } = plan;
  if (output === undefined) return { done: true, value: response.text };
  state.position = { stage: 'decode', where: `while the answer of turn ${turn} was judged` };
  const judged = judge(plan, output, response, call);
  const read = await (signal === undefined ? judged : raceAbort(judged, signal)).catch((error: unknown) => {
    throw state.failure('decode', `the answer could not be judged: ${messageOf(error)}`, error);
  });
  const attempts = before + 1;
  const mayCorrect = attempts <= output.retries;
  const refusal = read.ok ? undefined : correction(read.error, output, offer.outputTool);
  if (call !== undefined) state.messages.push(...closeCalls(response.toolCalls, call, refusal));
  if (read.ok) return { done: true, value: read.value };
  if (!mayCorrect) {
    const tries = attempts > 1 ? ` after ${attempts} answers` : '';
    throw state.failure('decode', `no usable output${tries}: ${read.error.message}`, read.error, {
      attempts,
    });
  }
  if (call === undefined && refusal !== undefined) state.messages.push({ role: 'user', content: refusal });
  emit?.({ type: 'output-rejected', turn, attempt: attempts + 1, message: read.error.message });
  return { done: false };
}

async function judge<Deps>(
  plan: RunPlan<Deps>,
  output: OutputPlan,
  response: ModelResponse,
  call: ToolCall | undefined,
): Promise<ReadOutput> {
  const { tidyArguments } = plan.tools;
  if (call === undefined) return readOutput(response.text, output, tidyArguments);
  return readOutputCall(call, output, tidyArguments);
}

function refused<Deps>(plan: RunPlan<Deps>, state: RunState, response: ModelResponse): RunError {
  const said = response.text === '' ? '' : `: ${response.text}`;
  const cause = new ModelError(`${plan.model.name} declined to answer${said}`, {
    kind: 'refused',
    provider: plan.model.name,
  });
  return state.failure('model', cause.message, cause);
}
