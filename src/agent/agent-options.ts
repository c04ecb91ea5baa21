/** What an agent is made of. How that becomes the plan of its runs is in `plan-runs.ts`. */
import type { Clock } from '../basics/clock.ts';
import type { Tracer } from '../basics/trace.ts';
import type { Model, ToolChoice } from '../models/model.ts';
import type { InferOutput, Schema } from '../schema/schema.ts';
import type { Content } from '../tools/content.ts';
import type { ApproveTool } from './approval/decisions.ts';
import type { ToolFailurePolicy } from './calls/tool-batch.ts';
import type { AgentTools } from './calls/tool-supply.ts';
import type { RunObserver } from './events.ts';
import type { Summarizer } from './history/history-view.ts';
import type { TrimOptions } from './history/trim-history.ts';
import type { Limits } from './limits.ts';
import type { OutputMode } from './output/output.ts';

/** What instructions that are a function see. */
export interface InstructionContext<Deps> {
  readonly deps: Deps;
  readonly prompt: string | readonly Content[] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Fixed text, or a function that is asked once per run. */
export type Instructions<Deps> = string | ((context: InstructionContext<Deps>) => string | Promise<string>);

/** What comes out of an agent with this `output`: text when there is none. */
export type OutputOf<S> = [S] extends [Schema] ? InferOutput<S> : string;

/** What both kinds of agents are made of. */
export interface AgentSettings<
  Deps,
  OutputSchema extends Schema | undefined,
  Output = OutputOf<OutputSchema>,
  Tools = AgentTools<Deps>,
> {
  readonly model: Model;
  /** What the agent is called, in traces and in the state of a paused run. */
  readonly name?: string | undefined;
  /** System message of every run; it replaces those of a history. Several are joined by a blank line. */
  readonly instructions?: Instructions<Deps> | readonly Instructions<Deps>[] | undefined;
  /**
   * A list of tools, a source of them such as `toolset(…)`, or a list of both. Sources are asked before each request to
   * the model; a tool of a source that cannot be used, or has a name that is taken, is left out with a note.
   */
  readonly tools?: Tools | undefined;
  /**
   * `auto` (the model chooses), `none`, `required` (at least one call) or `{ name }` (a call of that tool); the last two
   * hold until the first turn with calls, then the model chooses. The name of a tool as text offers only that tool.
   */
  readonly toolChoice?: ToolChoice | (string & {}) | undefined;
  /** Schema of the output, which is read as JSON and judged by it. Text unless set. */
  readonly output?: OutputSchema | undefined;
  /** How the model is asked for `output`: see `OutputMode`; `native` unless set. */
  readonly outputMode?: OutputMode | undefined;
  /**
   * Makes the output of what the model answered: of the text, or of the data that `output` judged. Throw a ToolError to
   * have the model correct its answer; everything else fails the run at stage `decode`.
   */
  readonly decode?: ((answer: OutputOf<OutputSchema>) => Output | Promise<Output>) | undefined;
  /** How often the model may correct an output that does not fit; 2 unless set. */
  readonly outputRetries?: number | undefined;
  /** Most that one run may use; unlimited unless set. */
  readonly limits?: Partial<Limits> | undefined;
  /** Most responses of the model in one run, corrections included; 10 unless set. */
  readonly maxTurns?: number | undefined;
  /** Most tools that run at once; 8 unless set. */
  readonly parallel?: number | undefined;
  /**
   * How many turns in a row a tool may fail in a way the model can mend (a `ToolError`, arguments that do not fit, an
   * unknown name) before the run fails; 2 unless set here or by the tool. It starts anew when the tool works.
   */
  readonly toolRetries?: number | undefined;
  /** Milliseconds for tools that set no timeout of their own; no limit unless set. */
  readonly toolTimeout?: number | undefined;
  /** `budget` unless set: see `ToolFailurePolicy`. */
  readonly onToolFailure?: ToolFailurePolicy | undefined;
  /**
   * Most tokens of one tool result that the model is shown; Infinity for no limit. 25,000 unless set, or no limit where
   * `maxObservation` is set. Estimated: four characters to a token, 1,600 for a picture, recording or file. What is cut
   * can be read on with a built-in tool; the transcript keeps all of it.
   */
  readonly maxResultTokens?: number | undefined;
  /** Most characters of a tool result that are kept, the rest is lost; unlimited unless set. */
  readonly maxObservation?: number | undefined;
  /** Most tool calls that are run in one turn; unlimited unless set. Further ones are answered with a refusal. */
  readonly maxCallsPerTurn?: number | undefined;
  /** Whether slips in arguments that the schema does not allow, such as `null` for nothing, are mended; true unless set. */
  readonly tidyArguments?: boolean | undefined;
  /** Shows the model only the newest exchanges of a history that is longer; all unless set. The transcript stays whole. */
  readonly trim?: TrimOptions | undefined;
  /** Gives what stands in place of the messages that `trim` leaves out; nothing does unless set. */
  readonly summarize?: Summarizer | undefined;
  /** Sent only when set. */
  readonly temperature?: number | undefined;
  /** Most tokens of one response; sent only when set. */
  readonly maxTokens?: number | undefined;
  /**
   * Asked before a call runs whose tool says `needsApproval`; the time it takes does not count for the tool's timeout.
   * What it throws ends the run at stage `tool`, unless `onToolFailure` is `observe`.
   */
  readonly approve?: ApproveTool | undefined;
  /** Watches every run. */
  readonly onEvent?: RunObserver | undefined;
  /** Begins spans for each run, request to the model and tool call, such as `otel()` of `tenon/otel`. */
  readonly tracer?: Tracer | undefined;
  readonly clock?: Clock | undefined;
}

/** An agent whose runs end with an output, or fail. */
export interface AgentOptions<
  Deps,
  OutputSchema extends Schema | undefined,
  Output = OutputOf<OutputSchema>,
  Tools = AgentTools<Deps>,
> extends AgentSettings<Deps, OutputSchema, Output, Tools> {
  readonly pause?: false | undefined;
}

/** An agent whose runs can be paused. */
export interface PausingAgentOptions<
  Deps,
  OutputSchema extends Schema | undefined,
  Output = OutputOf<OutputSchema>,
  Tools = AgentTools<Deps>,
> extends AgentSettings<Deps, OutputSchema, Output, Tools> {
  /**
   * A run that meets a call which needs approval ends as a PausedRun once the other calls of the turn are done, and goes
   * on with `resume`. An agent with a tool that needs approval must have this or `approve`.
   */
  readonly pause: true;
}

export type AnyAgentOptions<Deps, S extends Schema | undefined, Output> = AgentSettings<Deps, S, Output> & {
  readonly pause?: boolean | undefined;
};
