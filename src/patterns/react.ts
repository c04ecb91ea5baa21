/** Reason and act: the agent loop in which every failure of a tool is something the model reads. */

import type { AgentSettings } from '../agent/agent-options.ts';
import type { RunEvent } from '../agent/events.ts';
import type { TrimOptions } from '../agent/history/trim-history.ts';
import { runLoop } from '../agent/loop.ts';
import { planRuns } from '../agent/plan-runs.ts';
import { openRun } from '../agent/run-options.ts';
import type { RunResult } from '../agent/run-plan.ts';
import type { Clock } from '../basics/clock.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkMilliseconds, checkNumber, checkText } from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Model, ModelMessage } from '../models/model.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { Approval } from './approval/approval.ts';
import { type Meter, meterModel } from './asking/meter.ts';
import { withOwnTemperature } from './asking/own-temperature.ts';
import type { Budget } from './budget/budget.ts';
import { type CheckpointOptions, type Checkpoints, openCheckpoints } from './contract/checkpoint.ts';
import { addCost, type Cost, freezeResult, type PatternResult } from './contract/result.ts';
import { maskArguments, maskText, type Observers } from './contract/trace.ts';
import { guardRun } from './react/react-approval.ts';
import {
  answerOf,
  goOnFrom,
  isReactState,
  type ReactState,
  RunLog,
  reactTask,
} from './react/react-checkpoint.ts';
import { gatherEvidence, type ReactEvidence, toError } from './react/react-evidence.ts';

/**
 * A checkpoint is made after each answer of the model, before a tool runs, and after each call. Tools that are done are not
 * run again; one that was being run is not either unless its annotations say `readOnlyHint` or `idempotentHint`: the model
 * is told that its outcome is not known. A checkpoint is bound to the prompt and to names and input schemas of the tools.
 */
export interface ReactOptions extends Observers, CheckpointOptions<ReactState> {
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
  /** How much of the conversation that it goes on from the model is shown: its newest exchanges; all unless set. */
  readonly trim?: TrimOptions | undefined;
  readonly budget?: Budget | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the timeouts of tools and of the approval gate read. */
  readonly clock?: Clock | undefined;
}

type Result = PatternResult<string, ReactEvidence>;

const where = 'reactLoop';
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
): Promise<Result> {
  checkArguments(model, prompt, options);
  const { maxRounds = 8, toolTimeout = 30_000, signal, budget } = options;
  const meter = meterModel(model, budget, options);
  const log = new RunLog(
    state => checkpoints.save(state, meter.cost, meter.notes),
    () => guard.denied(),
  );
  const denied = (): number => checkpoints.state?.denied ?? 0;
  const guard = guardRun({ ...options, toolTimeout, onRun: log.started, denied }, meter.note);
  const plan = planRuns<unknown, undefined, string>({
    ...reactSettings(options, meter),
    tools: guard.tools,
  });
  const [text, history] = typeof prompt === 'string' ? [prompt, []] : [undefined, prompt];
  const opening = await openRun([], text, { history }, signal);
  const { note } = meter;
  const facts = { where, task: () => reactTask(prompt, plan), isState: isReactState, budget, note };
  const checkpoints: Checkpoints<ReactState> = await openCheckpoints(facts, options);
  for (const said of checkpoints.notes) note(said);
  const watchers = { meter, guard };
  const costNow = (): Cost => addCost(checkpoints.before, meter.cost);
  const finish = (run: Parameters<typeof gatherEvidence>[0], value: string): Result => {
    notify(options.onProgress, { done: run.counts.turns, total: maxRounds });
    if (value.trim() === '') meter.note('the final answer is blank');
    const evidence = gatherEvidence(run, 'answered', watchers);
    return freezeResult({ value, score: undefined, cost: costNow(), evidence });
  };
  const { state } = checkpoints;
  const answer = state && answerOf(state);
  if (answer !== undefined) return finish(state as ReactState, answer);
  const resumed = state && { state: goOnFrom(state, options.tools) };
  if (resumed) log.open(resumed.state);
  const emit = (event: RunEvent): void => {
    guard.watch(event);
    watchEvent(event, maxRounds, meter, options);
  };
  try {
    const run = await runLoop(plan, {
      messages: resumed ? [...resumed.state.messages] : opening,
      resumed,
      keep: options.onCheckpoint && log.keep,
      signal: guard.open(),
      emit,
      ...{ deps: undefined, onAttempt: undefined, trace: undefined, above: undefined },
    });
    // Without `output` it is text.
    return finish(run, (run as RunResult).output);
  } catch (error) {
    throw toError(error, { cost: costNow(), maxRounds, signal }, watchers);
  } finally {
    guard.close();
  }
}

/** What makes an agent this loop, but for its tools: for those who stop it on the way, as a server does that asks. */
export function reactSettings(
  options: Omit<ReactOptions, 'tools'>,
  meter: Meter,
): Omit<AgentSettings<unknown, undefined>, 'tools'> {
  const { maxRounds = 8, toolTimeout = 30_000, temperature, maxTokens, trim, clock } = options;
  return {
    model: temperature === undefined ? withOwnTemperature(meter, ownTemperature) : meter.model,
    onToolFailure: 'observe',
    maxTurns: maxRounds,
    maxObservation: options.maxObservation ?? 12_000,
    maxCallsPerTurn: options.maxCallsPerRound ?? 32,
    parallel: options.concurrency ?? 8,
    toolTimeout,
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(trim === undefined ? {} : { trim }),
    ...(clock === undefined ? {} : { clock }),
  };
}

function checkArguments(model: unknown, prompt: unknown, options: ReactOptions): void {
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
function watchEvent(event: RunEvent, maxRounds: number, meter: Meter, observers: Observers): void {
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
  } else if (event.type === 'note' && event.code === 'history-trimmed') meter.note(event.message);
}
