/** Reason and act: the agent loop in which every failure of a tool is something the model reads. */

import { Agent } from '../agent/agent.ts';
import type { AgentSettings } from '../agent/agent-options.ts';
import { isRunError, type RunCounts, type RunError } from '../agent/errors.ts';
import type { RunEvent } from '../agent/events.ts';
import type { Clock } from '../basics/clock.ts';
import { messageOf } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkMilliseconds, checkNumber, checkText } from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Model, ModelMessage } from '../models/model.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Approval } from './approval.ts';
import type { Budget } from './budget.ts';
import { describeReason, kindOf } from './failures.ts';
import { type Meter, meterModel } from './meter.ts';
import { withOwnTemperature } from './own-temperature.ts';
import { PatternError, type PatternErrorKind } from './pattern-error.ts';
import { guardRun, type RunGuard } from './react-approval.ts';
import { freezeResult, type PatternResult } from './result.ts';
import { maskArguments, maskText, type Observers } from './trace.ts';

export interface ReactOptions extends Observers {
  /** What the model may use; it may be empty. */
  readonly tools: readonly AnyTool[];
  /** Most responses of the model: an integer of at least 1; 8 by default. */
  readonly maxRounds?: number | undefined;
  /** Most characters of a tool's result that the model reads, a marker of the cut included; 12,000 by default. */
  readonly maxObservation?: number | undefined;
  /** Most calls that are run in one round, the others are answered unrun; 32 by default. */
  readonly maxCallsPerRound?: number | undefined;
  /** How many tools run at once; 8 by default. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for a tool that sets no timeout itself; 30,000 by default. */
  readonly toolTimeout?: number | undefined;
  /** Who must agree before a tool runs. A refusal is something the model reads; timeouts of tools start after it. */
  readonly approve?: Approval | undefined;
  /** From 0 to 2; 0.3 by default. Given up, with a note, when the model refuses any. */
  readonly temperature?: number | undefined;
  /** Most tokens of one response. */
  readonly maxTokens?: number | undefined;
  readonly budget?: Budget | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the timeouts of tools and of the approval gate read. */
  readonly clock?: Clock | undefined;
}

export interface ReactEvidence {
  /** Responses of the model. */
  readonly rounds: number;
  /** Calls of known tools, those with unusable arguments included. */
  readonly toolCalls: number;
  /** Calls that were not run: unknown tool, unusable arguments, or too many in a round. */
  readonly rejectedToolCalls: number;
  /** Calls that the approval gate did not let run: denied, not decided in time, or the gate failed. */
  readonly deniedToolCalls: number;
  readonly truncatedObservations: number;
  /** Responses that were cut off at their token limit. */
  readonly truncatedResponses: number;
  readonly terminationReason: 'answered' | PatternErrorKind;
  /** The whole conversation; pass it as the second argument to go on from here. */
  readonly messages: readonly ModelMessage[];
  /** What else there is to know, as sentences. */
  readonly notes: readonly string[];
}

const ownTemperature = 0.3;

/**
 * Lets the model use tools until it answers without calling any. `prompt` is text or a conversation to go on from,
 * which is not changed. Unknown tools, unusable arguments, timeouts and errors of tools are observations, never the end.
 * Throws a TypeError before anything is spent when an argument is wrong, else a PatternError with cost and transcript.
 */
export async function reactLoop(
  model: Model,
  prompt: string | readonly ModelMessage[],
  options: ReactOptions,
): Promise<PatternResult<string, ReactEvidence>> {
  checkArguments(model, prompt, options);
  const { maxRounds = 8, toolTimeout = 30_000, signal } = options;
  const meter = meterModel(model, options.budget, options);
  const guard = guardRun({ ...options, toolTimeout }, meter.note);
  const agent = new Agent({ ...reactSettings(options, meter), tools: guard.tools });
  const onEvent = (event: RunEvent): void => {
    guard.watch(event);
    watchEvent(event, maxRounds, options);
  };
  try {
    const watched = { onEvent, signal: guard.open() };
    const run =
      typeof prompt === 'string'
        ? await agent.run(prompt, watched)
        : await agent.run(undefined, { ...watched, history: prompt });
    notify(options.onProgress, { done: run.counts.turns, total: maxRounds });
    if (run.output.trim() === '') meter.note('the final answer is blank');
    const evidence = gatherEvidence(run, 'answered', meter, guard);
    return freezeResult({ value: run.output, score: undefined, cost: meter.cost, evidence });
  } catch (error) {
    // A conversation that is none is found by the agent, before it asks anything.
    if (error instanceof TypeError && meter.cost.calls === 0) throw error;
    throw toError(error, maxRounds, signal, meter, guard);
  } finally {
    guard.close();
  }
}

/** What makes an agent this loop, but for its tools: for those who stop it on the way, as a server does that asks. */
export function reactSettings(
  options: Omit<ReactOptions, 'tools'>,
  meter: Meter,
): Omit<AgentSettings<unknown, undefined>, 'tools'> {
  const { maxRounds = 8, toolTimeout = 30_000, temperature, maxTokens, clock } = options;
  return {
    model:
      temperature === undefined ? withOwnTemperature(meter.model, ownTemperature, meter.note) : meter.model,
    onToolFailure: 'observe',
    maxTurns: maxRounds,
    maxObservation: options.maxObservation ?? 12_000,
    maxCallsPerTurn: options.maxCallsPerRound ?? 32,
    parallel: options.concurrency ?? 8,
    toolTimeout,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(clock === undefined ? {} : { clock }),
  };
}

function checkArguments(model: unknown, prompt: unknown, options: ReactOptions): void {
  const where = 'reactLoop';
  checkModel(where, model);
  if (!Array.isArray(prompt)) checkText(where, 'prompt', prompt);
  else if (prompt.length === 0) throw new TypeError(`${where}: the conversation must have a message`);
  if (!Array.isArray(options?.tools)) {
    throw new TypeError(`${where}: tools must be a list of tools; it may be empty`);
  }
  for (const field of [
    'maxRounds',
    'maxObservation',
    'maxCallsPerRound',
    'concurrency',
    'maxTokens',
  ] as const) {
    checkNumber(where, field, options[field], { integer: true, min: 1 });
  }
  checkMilliseconds(where, 'toolTimeout', options.toolTimeout);
  checkNumber(where, 'temperature', options.temperature, { min: 0, max: 2 });
  checkFunction(where, 'onProgress', options.onProgress);
  checkFunction(where, 'onTrace', options.onTrace);
}

/** A round is done when the next begins, or with the answer. */
function watchEvent(event: RunEvent, maxRounds: number, observers: Observers): void {
  const { onProgress, onTrace, traceContent: show } = observers;
  if (event.type === 'turn-start' && event.turn > 1) {
    notify(onProgress, { done: event.turn - 1, total: maxRounds });
  } else if (event.type === 'tool-start') {
    const { callId: id, tool: name } = event;
    notify(onTrace, { type: 'tool-start', id, name, arguments: maskArguments(event.arguments, show) });
  } else if (event.type === 'tool-end') {
    const { callId: id, tool: name, isError, result } = event;
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    notify(onTrace, { type: 'tool-end', id, name, isError, result: maskText(text, show) });
  }
}

function gatherEvidence(
  { counts, messages }: { readonly counts: RunCounts; readonly messages: readonly ModelMessage[] },
  terminationReason: ReactEvidence['terminationReason'],
  meter: Meter,
  guard: RunGuard,
): ReactEvidence {
  return {
    rounds: counts.turns,
    toolCalls: counts.toolCalls,
    rejectedToolCalls: counts.rejectedCalls,
    deniedToolCalls: guard.denied(),
    truncatedObservations: counts.truncatedObservations,
    truncatedResponses: counts.truncatedResponses,
    terminationReason,
    messages: Object.freeze([...messages]),
    notes: meter.notes,
  };
}

function toError(
  error: unknown,
  maxRounds: number,
  signal: AbortSignal | undefined,
  meter: Meter,
  guard: RunGuard,
): PatternError {
  const { cost } = meter;
  if (!isRunError(error)) {
    return new PatternError(`reactLoop: ${messageOf(error)}`, { kind: 'run-failed', cost, cause: error });
  }
  const raised = guard.raised();
  const { kind, message } =
    raised !== undefined && error.cause === raised
      ? { kind: 'approval' as const, message: raised.message }
      : explain(error, maxRounds, signal);
  const evidence = gatherEvidence(error, kind, meter, guard);
  const cause = kind === 'run-failed' || kind === 'rounds-exhausted' ? error : error.cause;
  return new PatternError(`reactLoop: ${message}`, { kind, cost, cause, evidence });
}

function explain(
  error: RunError,
  maxRounds: number,
  signal: AbortSignal | undefined,
): { readonly kind: PatternErrorKind; readonly message: string } {
  const kind = kindOf(error.cause, signal, 'run-failed');
  if (kind === 'aborted') return { kind, message: describeReason(error.cause) };
  if (error.stage !== 'loop') return { kind, message: error.message };
  const message = `the model gave no final answer within ${maxRounds} rounds; raise maxRounds, or ask for less at once`;
  return { kind: 'rounds-exhausted', message };
}
