/** The agent: a model, its instructions and tools, ready for any number of runs. The loop is in `loop.ts`. */
import { notify } from '../basics/notify.ts';
import type { Schema } from '../schema/schema.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolSource } from '../tools/tool-source.ts';
import type {
  AgentOptions,
  AnyAgentOptions,
  Instructions,
  OutputOf,
  PausingAgentOptions,
} from './agent-options.ts';
import { type AgentToolInput, type AgentToolOptions, agentTool } from './agent-tool.ts';
import type { Decisions } from './approval/decisions.ts';
import { type Opening, openPaused } from './approval/open-paused.ts';
import type { PausedState } from './approval/paused-state.ts';
import type { Delegation } from './calls/delegation.ts';
import type { AllOf, ToolList } from './calls/tool-supply.ts';
import type { RunError } from './errors.ts';
import type { RunObserver } from './events.ts';
import { runLoop } from './loop.ts';
import { askInWords } from './output/output.ts';
import { planRuns } from './plan-runs.ts';
import {
  openRun,
  type Prompt,
  type ResumeArguments,
  type RunArguments,
  type RunOptions,
} from './run-options.ts';
import type { RunOutcome, RunPlan } from './run-plan.ts';
import { RunState } from './run-state.ts';
import { type RunStream, streamRun } from './run-stream.ts';

/**
 * `Deps` is what its tools and instructions need at each run, `Output` what a run gives. The members are properties, not
 * methods: of these, TypeScript would let one that needs dependencies pass for one that needs none. `asTool` is one, so that
 * an agent passes for one that gives more; what its tool needs is in the tool's type.
 */
export interface Agent<Deps = unknown, Output = string, Pauses extends boolean = false> {
  /**
   * Runs until the model answers without calling tools. Rejects with a RunError that carries the transcript and what
   * was used; with a RunAbortedError at once when the signal aborts; with a TypeError for unusable input. With
   * `pause: true` it may give a PausedRun instead of a result.
   */
  readonly run: (prompt: Prompt, ...rest: RunArguments<Deps>) => Promise<RunOutcome<Output, Pauses>>;
  /** The same run, told as it happens. */
  readonly stream: (prompt: Prompt, ...rest: RunArguments<Deps>) => RunStream<Output, Pauses>;
  /**
   * Goes on with a paused run, here or in another process: an agent made of the same options gives what the run would have
   * given. Calls without a decision wait on, and the run is paused again. Rejects with a TenonError for a state that
   * cannot be used, with a TypeError for decisions about calls that do not wait, and as `run` does.
   */
  readonly resume: (
    state: PausedState | string,
    decisions: Decisions,
    ...rest: ResumeArguments<Deps>
  ) => Promise<RunOutcome<Output, Pauses>>;
  /**
   * A tool that runs the agent, with the dependencies, the signal and the trace of the run that calls it. What it uses
   * counts for the usage and the limits of that run; its failures end that run at stage `tool`, as the cause.
   */
  asTool<const Input extends Schema | undefined = undefined>(
    options: AgentToolOptions<Output, Input>,
  ): Tool<AgentToolInput<Input>, Deps>;
}

/**
 * How agents are made. Types follow from the tools, the instructions and `output`: a run needs what its instructions need
 * (`Deps`) and what each of its tools does.
 */
export interface AgentConstructor {
  /** An agent whose runs can be paused. */
  new <
    Deps = unknown,
    const S extends Schema | undefined = undefined,
    Output = OutputOf<S>,
    Needs extends readonly unknown[] = readonly Deps[],
  >(
    options: PausingAgentOptions<Deps & AllOf<Needs>, S, Output, ToolSource<Deps> | ToolList<Needs>>,
  ): Agent<Deps & AllOf<Needs>, Output, true>;
  /** Throws a TypeError, or a TenonError about a schema or an approval, that names the option which is wrong. */
  new <
    Deps = unknown,
    const S extends Schema | undefined = undefined,
    Output = OutputOf<S>,
    Needs extends readonly unknown[] = readonly Deps[],
  >(
    options: AgentOptions<Deps & AllOf<Needs>, S, Output, ToolSource<Deps> | ToolList<Needs>>,
  ): Agent<Deps & AllOf<Needs>, Output>;
  readonly prototype: Agent<unknown, unknown, boolean>;
}

class LoopAgent<Deps, S extends Schema | undefined, Output> implements Agent<Deps, Output, boolean> {
  readonly #options: AnyAgentOptions<Deps, S, Output>;
  readonly #instructions: readonly Instructions<Deps>[];
  readonly #plan: RunPlan<Deps>;

  constructor(options: AnyAgentOptions<Deps, S, Output>) {
    this.#options = { ...options };
    this.#plan = planRuns(options);
    const { instructions = [] } = options;
    const given = Array.isArray(instructions) ? instructions : [instructions as Instructions<Deps>];
    this.#instructions = [...given, askInWords(this.#plan.output)];
  }

  async run(prompt: Prompt, ...[options]: RunArguments<Deps>): Promise<RunOutcome<Output, boolean>> {
    const given: RunOptions<Deps> = options ?? {};
    return this.#start({ prompt }, given, this.#observer(given));
  }

  stream(prompt: Prompt, ...[options]: RunArguments<Deps>): RunStream<Output, boolean> {
    const given: RunOptions<Deps> = options ?? {};
    const observer = this.#observer(given);
    return streamRun((push, signal) => {
      const emit: RunObserver = event => {
        observer?.(event);
        push(event);
      };
      return this.#start({ prompt }, { ...given, signal }, emit);
    }, given.signal);
  }

  async resume(
    state: PausedState | string,
    decisions: Decisions,
    ...[options]: ResumeArguments<Deps>
  ): Promise<RunOutcome<Output, boolean>> {
    const given: RunOptions<Deps> = options ?? {};
    return this.#start({ state, decisions }, given, this.#observer(given));
  }

  asTool<Input extends Schema | undefined>(
    options: AgentToolOptions<Output, Input>,
  ): Tool<AgentToolInput<Input>, Deps> {
    return agentTool<Deps, Output, Input>(options, (opening, { deps, signal, trace }, above) => {
      const given = { deps, signal, trace, onAttempt: above?.onAttempt };
      const observer = this.#observer(given);
      const emit: RunObserver | undefined =
        above?.tell === undefined
          ? observer
          : event => {
              observer?.(event);
              above.tell?.(event);
            };
      return this.#start(opening, given, emit, above);
    });
  }

  async #start(
    opening: Opening,
    options: RunOptions<Deps>,
    emit: RunObserver | undefined,
    above?: Delegation,
  ): Promise<RunOutcome<Output, boolean>> {
    const { deps, onAttempt, trace, signal } = options;
    const resumed = 'state' in opening ? openPaused(opening, this.#plan.name) : undefined;
    const messages = resumed
      ? [...resumed.state.messages]
      : await openRun(this.#instructions, (opening as { prompt: Prompt }).prompt, options, signal).catch(
          (error: unknown) => {
            throw signal?.aborted === true ? abortedBefore(signal) : error;
          },
        );
    const result = await runLoop(this.#plan, {
      messages,
      deps: deps as Deps,
      signal,
      onAttempt,
      emit,
      trace,
      above,
      resumed,
    });
    // Judged by the schema or made by the function that `Output` is the type of.
    return result as RunOutcome<Output, boolean>;
  }

  #observer(options: RunOptions<Deps>): RunObserver | undefined {
    const observers = [this.#options.onEvent, options.onEvent].filter(observer => observer !== undefined);
    if (observers.length === 0) return undefined;
    return event => {
      for (const observer of observers) notify(observer, event);
    };
  }
}

/** An agent. See `AgentOptions`; `run` and `stream` are in the interface of the same name. */
// Whether its runs may be paused is decided by the very options that decide its type.
export const Agent: AgentConstructor = LoopAgent as unknown as AgentConstructor;

function abortedBefore(signal: AbortSignal): RunError {
  return new RunState([]).aborted(signal.reason);
}
