/** The agent: a model, its instructions and tools, ready for any number of runs. The loop is in `loop.ts`. */
import { notify } from '../basics/notify.ts';
import type { Schema } from '../schema/schema.ts';
import { type AgentOptions, type OutputOf, planRuns } from './agent-options.ts';
import type { RunError } from './errors.ts';
import type { RunObserver } from './events.ts';
import { type RunPlan, type RunResult, runLoop } from './loop.ts';
import { openRun, type Prompt, type RunArguments, type RunOptions } from './run-options.ts';
import { RunState } from './run-state.ts';
import { type RunStream, streamRun } from './run-stream.ts';

/**
 * `Deps` is what its tools and instructions need at each run, `Output` what a run gives. The members are properties, not
 * methods: of these, TypeScript would let one that needs dependencies pass for one that needs none.
 */
export interface Agent<Deps = unknown, Output = string> {
  /**
   * Runs until the model answers without calling tools. Rejects with a RunError that carries the transcript and what
   * was used; with a RunAbortedError at once when the signal aborts; with a TypeError for unusable input.
   */
  readonly run: (prompt: Prompt, ...rest: RunArguments<Deps>) => Promise<RunResult<Output>>;
  /** The same run, told as it happens. */
  readonly stream: (prompt: Prompt, ...rest: RunArguments<Deps>) => RunStream<Output>;
}

/** How agents are made. Types follow from the tools, the instructions and `output`. */
export interface AgentConstructor {
  /** Throws a TypeError, or a TenonError about a schema, that names the option which is wrong. */
  new <Deps = unknown, const S extends Schema | undefined = undefined>(
    options: AgentOptions<Deps, S>,
  ): Agent<Deps, OutputOf<S>>;
  readonly prototype: Agent<unknown, unknown>;
}

class LoopAgent<Deps, S extends Schema | undefined> implements Agent<Deps, OutputOf<S>> {
  readonly #options: AgentOptions<Deps, S>;
  readonly #plan: RunPlan<Deps>;

  constructor(options: AgentOptions<Deps, S>) {
    this.#options = { ...options };
    this.#plan = planRuns(options);
  }

  async run(prompt: Prompt, ...[options]: RunArguments<Deps>): Promise<RunResult<OutputOf<S>>> {
    const given: RunOptions<Deps> = options ?? {};
    return this.#start(prompt, given, this.#observer(given), given.signal);
  }

  stream(prompt: Prompt, ...[options]: RunArguments<Deps>): RunStream<OutputOf<S>> {
    const given: RunOptions<Deps> = options ?? {};
    const observer = this.#observer(given);
    return streamRun((push, signal) => {
      const emit: RunObserver = event => {
        observer?.(event);
        push(event);
      };
      return this.#start(prompt, given, emit, signal);
    }, given.signal);
  }

  async #start(
    prompt: Prompt,
    options: RunOptions<Deps>,
    emit: RunObserver | undefined,
    signal: AbortSignal | undefined,
  ): Promise<RunResult<OutputOf<S>>> {
    const { deps, onAttempt } = options;
    const { instructions } = this.#options;
    const messages = await openRun(instructions, prompt, options, signal).catch((error: unknown) => {
      throw signal?.aborted === true ? abortedBefore(signal) : error;
    });
    const result = await runLoop(this.#plan, { messages, deps: deps as Deps, signal, onAttempt, emit });
    // Judged by the schema that `S` is the type of.
    return result as RunResult<OutputOf<S>>;
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
export const Agent: AgentConstructor = LoopAgent;

function abortedBefore(signal: AbortSignal): RunError {
  return new RunState([]).aborted(signal.reason);
}
