/** The calls of one turn while they run: who may run, what came of each, and what that means for the run. */
import type { Clock } from '../basics/clock.ts';
import type { ToolCall, ToolMessage } from '../models/model.ts';
import type { RunObserver } from './events.ts';
import { executeCall, type Outcome, toFailure } from './execute-call.ts';
import type { PreparedCall } from './prepare-call.ts';
import { cutObservation } from './tool-message.ts';
import type { ToolRegistry } from './tool-registry.ts';

/**
 * What a failed call means. `budget`: what the model can mend goes back to it as often as the tool's budget allows,
 * everything else ends the run. `observe`: every failure is something the model reads.
 */
export type ToolFailurePolicy = 'budget' | 'observe';

/** How an agent runs its tools. */
export interface ToolPlan<Deps> {
  readonly registry: ToolRegistry<Deps>;
  /** Most calls that run at once. */
  readonly parallel: number;
  readonly onToolFailure: ToolFailurePolicy;
  /** Most characters of a result. */
  readonly maxObservation: number;
  /** Most calls that are run in one turn. */
  readonly maxCallsPerTurn: number;
  readonly clock: Clock;
}

export interface TurnFacts<Deps> {
  readonly calls: readonly ToolCall[];
  readonly turn: number;
  readonly deps: Deps;
  readonly signal: AbortSignal | undefined;
  readonly emit: RunObserver | undefined;
  /** How many turns in a row each tool failed in a way the model can mend; kept up to date here. */
  readonly strikes: Map<string, number>;
}

export interface TurnResult {
  /** In the order of the calls; only those that finished, when the run was aborted. */
  readonly messages: readonly ToolMessage[];
  readonly rejected: number;
  readonly truncated: number;
  /** What ends the run: the first such failure in the model's order. */
  readonly fatal?: { readonly call: ToolCall; readonly error: unknown; readonly attempts: number };
}

/** The outcomes of one turn as they come in. */
export class ToolBatch<Deps> {
  readonly #plan: ToolPlan<Deps>;
  readonly #facts: TurnFacts<Deps>;
  readonly #outcomes: (Outcome | undefined)[];
  #reported = 0;
  #rejected = 0;
  #truncated = 0;
  #stopped = false;

  constructor(plan: ToolPlan<Deps>, facts: TurnFacts<Deps>) {
    this.#plan = plan;
    this.#facts = facts;
    this.#outcomes = facts.calls.map(() => undefined);
    const { calls, turn, emit } = facts;
    for (const call of calls) emit?.({ type: 'tool-call', ...about(call, turn), arguments: call.arguments });
  }

  /** Runs the calls from `start` up to `end`. Rejects when the run is aborted. */
  async run(
    prepared: readonly PreparedCall<Deps>[],
    [start, end]: readonly [start: number, end: number],
  ): Promise<void> {
    let next = start;
    const work = async (): Promise<void> => {
      while (next < end && !this.#stopped) {
        const index = next;
        next += 1;
        const call = this.#facts.calls[index];
        const ready = prepared[index];
        if (call !== undefined && ready !== undefined)
          this.#settle(index, await this.#one(index, call, ready));
      }
    };
    const workers = Math.min(this.#plan.parallel, end - start);
    await Promise.all(Array.from({ length: workers }, work));
  }

  async #one(index: number, call: ToolCall, ready: PreparedCall<Deps>): Promise<Outcome> {
    const { turn, deps, signal, emit, calls } = this.#facts;
    const { maxCallsPerTurn, clock } = this.#plan;
    if (index >= maxCallsPerTurn) {
      this.#rejected += 1;
      return { content: surplus(calls.length, maxCallsPerTurn), failure: notCounted };
    }
    if (!ready.ok) {
      this.#rejected += 1;
      return toFailure(call.name, ready.error);
    }
    signal?.throwIfAborted();
    emit?.({ type: 'tool-start', ...about(call, turn), arguments: call.arguments });
    return executeCall(ready.tool, ready.args, { call, turn, deps, signal, emit, clock });
  }

  /** Gives what was never started a result that says so. */
  fillUp(): void {
    for (const index of this.#outcomes.keys()) {
      if (this.#outcomes[index] === undefined) {
        this.#settle(index, { content: 'Not run: another call of this turn failed.', failure: notCounted });
      }
    }
  }

  /** Keeps the outcome, and tells of all that are now complete from the front. */
  #settle(index: number, outcome: Outcome): void {
    const { content, cut } = cutObservation(outcome.content, this.#plan.maxObservation);
    if (cut) this.#truncated += 1;
    this.#outcomes[index] = { ...outcome, content };
    if (this.#isFatal(index)) this.#stopped = true;
    for (; this.#reported < this.#outcomes.length; this.#reported += 1) {
      const complete = this.#outcomes[this.#reported];
      const call = this.#facts.calls[this.#reported];
      if (complete === undefined || call === undefined) return;
      const { failure } = complete;
      this.#facts.emit?.({
        type: 'tool-end',
        ...about(call, this.#facts.turn),
        result: complete.content,
        isError: failure !== undefined,
        ...(failure?.error === undefined ? {} : { error: failure.error }),
      });
    }
  }

  #isFatal(index: number): boolean {
    const failure = this.#outcomes[index]?.failure;
    const call = this.#facts.calls[index];
    if (failure === undefined || failure === notCounted || call === undefined) return false;
    if (this.#plan.onToolFailure === 'observe') return false;
    const { tools, defaultRetries } = this.#plan.registry;
    const budget = tools.get(call.name)?.retries ?? defaultRetries;
    return !failure.correctable || (this.#facts.strikes.get(call.name) ?? 0) >= budget;
  }

  result(): TurnResult {
    const { calls, strikes } = this.#facts;
    const messages = calls.flatMap((call, index) => {
      const outcome = this.#outcomes[index];
      return outcome === undefined ? [] : [toMessage(call, outcome)];
    });
    const counts = { messages, rejected: this.#rejected, truncated: this.#truncated };
    const index = calls.findIndex((_, candidate) => this.#isFatal(candidate));
    const call = calls[index];
    if (call !== undefined) {
      const attempts = (strikes.get(call.name) ?? 0) + 1;
      return { ...counts, fatal: { call, error: this.#outcomes[index]?.failure?.error, attempts } };
    }
    this.#count();
    return counts;
  }

  /** A failed turn of a tool counts once, however many of its calls failed: the model has not been told before. */
  #count(): void {
    const { calls, strikes } = this.#facts;
    const failed = new Set<string>();
    const worked = new Set<string>();
    for (const [index, call] of calls.entries()) {
      const outcome = this.#outcomes[index];
      if (outcome === undefined || outcome.failure === notCounted) continue;
      (outcome.failure === undefined ? worked : failed).add(call.name);
    }
    for (const name of worked) strikes.delete(name);
    for (const name of failed) strikes.set(name, (strikes.get(name) ?? 0) + 1);
  }
}

/** Stands for calls that were not run for a reason that is no failure of their tool. */
const notCounted = Object.freeze({ error: undefined, correctable: true });

function surplus(asked: number, most: number): string {
  return `Not run: ${asked} calls were made in one turn and at most ${most} are run. Ask again for what is still needed.`;
}

function toMessage(call: ToolCall, { content, failure }: Outcome): ToolMessage {
  const message = { role: 'tool', toolCallId: call.id, toolName: call.name, content } as const;
  return failure === undefined ? message : { ...message, isError: true };
}

function about(call: ToolCall, turn: number): { turn: number; callId: string; tool: string } {
  return { turn, callId: call.id, tool: call.name };
}
