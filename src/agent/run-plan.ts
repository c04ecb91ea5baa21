/** What a run is told: the plan that all runs of an agent share, what is new in each, and what a run gives. */
import type { TraceContext } from '../basics/trace.ts';
import type { Note } from '../models/collect.ts';
import type {
  Model,
  ModelMessage,
  ModelRequest,
  RespondOptions,
  ToolChoice,
  Usage,
} from '../models/model.ts';
import type { Decisions } from './approval/decisions.ts';
import type { PausedRun } from './approval/pause-run.ts';
import type { RunSnapshot } from './approval/paused-state.ts';
import type { Delegation } from './calls/delegation.ts';
import type { ToolPlan } from './calls/tool-batch.ts';
import type { ToolSupply } from './calls/tool-supply.ts';
import type { RunCounts } from './errors.ts';
import type { RunObserver } from './events.ts';
import type { HistoryView } from './history/history-view.ts';
import type { Limits } from './limits.ts';
import type { OutputPlan } from './output/output.ts';
import type { RunTracing } from './run-trace.ts';

/** What stays the same over all runs of an agent. */
export interface RunPlan<Deps> {
  readonly name: string | undefined;
  readonly model: Model;
  /** How tools run; which there are is found anew in each turn. */
  readonly tools: Omit<ToolPlan<Deps>, 'registry'>;
  readonly supply: ToolSupply<Deps>;
  /** The only tool that is offered, when set. */
  readonly onlyTool: string | undefined;
  readonly toolChoice: ToolChoice | undefined;
  /** Text when there is none. */
  readonly output: OutputPlan | undefined;
  readonly limits: Partial<Limits>;
  readonly maxTurns: number;
  /** Most tokens of one result that the model is shown. */
  readonly maxResultTokens: number;
  /** Nothing is traced without it. */
  readonly tracing: RunTracing | undefined;
  readonly view: HistoryView;
  /** What goes with every request beside messages and tools. */
  readonly request: Omit<ModelRequest, 'messages' | 'tools' | 'toolChoice'>;
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
  /** The span that the run belongs to, and within the run its own. */
  readonly trace: TraceContext | undefined;
  /** The run whose tool has started this one. */
  readonly above: Delegation | undefined;
  /** Where the run stopped, and what was decided since; `messages` are those of the state. */
  readonly resumed: { readonly state: RunSnapshot; readonly decisions?: Decisions | undefined } | undefined;
  /** Told how the run stands: after an answer, before its calls; after each call; and at the end. */
  readonly keep?: ((snapshot: RunSnapshot) => void) | undefined;
}

/** What a run gives. */
export interface RunResult<Output = string> {
  readonly paused?: false;
  readonly output: Output;
  /** The whole conversation, in order; the `history` of a run that goes on from here. */
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
  readonly counts: RunCounts;
  /** What was done otherwise than asked, such as a setting the model refused, or a tool that could not be offered. */
  readonly notes: readonly Note[];
}

/** What a run gives that may be paused. */
export type RunOutcome<Output, Pauses extends boolean> = [Pauses] extends [false]
  ? RunResult<Output>
  : RunResult<Output> | PausedRun;
