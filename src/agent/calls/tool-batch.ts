/** The calls of one turn while they run: who may run, what came of each, and what that means for the run. */
import type { Clock } from '../../basics/clock.ts';
import type { TraceContext } from '../../basics/trace.ts';
import type { ToolCall, ToolMessage } from '../../models/model.ts';
import { type ApprovalPlan, approveCall } from '../approval/approve-call.ts';
import type { SavedCall } from '../approval/paused-state.ts';
import type { RunObserver } from '../events.ts';
import { type ResumedTurn, reopenCall, resumeCall, saveCalls } from '../history/saved-calls.ts';
import { observeWithin } from '../results/tool-message.ts';
import { type RunTracing, traceTool } from '../run-trace.ts';
import type { RunLink } from './delegation.ts';
import { executeCall, notCounted, type Outcome, toFailure } from './execute-call.ts';
import type { PreparedCall } from './prepare-call.ts';
import type { ToolRegistry } from './tool-registry.ts';

/**
 * What a failed call means. `budget`: what the model can mend goes back to it as often as the tool's budget allows,
 * everything else ends the run. `observe`: every failure is something the model reads.
 */
export type ToolFailurePolicy = 'budget' | 'observe';

/** How an agent runs its tools. */
export interface ToolPlan<Deps> extends ApprovalPlan {
  readonly registry: ToolRegistry<Deps>;
  /** Most calls that run at once. */
  readonly parallel: number;
  readonly onToolFailure: ToolFailurePolicy;
  /** Most characters of a result; Infinity to keep all of it. */
  readonly maxObservation: number;
  /** Most calls that are run in one turn. */
  readonly maxCallsPerTurn: number;
  /** Whether slips in arguments that the schema does not allow are mended. */
  readonly tidyArguments: boolean;
  readonly clock: Clock;
  readonly tracing: RunTracing | undefined;
}

export interface TurnFacts<Deps> {
  readonly calls: readonly ToolCall[];
  readonly turn: number;
  readonly deps: Deps;
  readonly signal: AbortSignal | undefined;
  readonly emit: RunObserver | undefined;
  /** How many turns in a row each tool failed in a way the model can mend; kept up to date here. */
  readonly strikes: Map<string, number>;
  /** The span of the run. */
  readonly trace: TraceContext | undefined;
  /** For tools that run agents. */
  readonly link: RunLink;
  /** Where the turn stopped, and what was decided since. */
  readonly resumed?: ResumedTurn | undefined;
  /** Told how the calls stand: before the first of them, and whenever one is done. */
  readonly onProgress?: ((progress: TurnProgress) => void) | undefined;
}

export interface TurnProgress {
  readonly calls: readonly SavedCall[];
  /** Of those that are done now and were not before. */
  readonly rejected: number;
  readonly truncated: number;
}

export interface TurnResult {
  /** In the order of the calls; only those that finished, when the run was aborted. */
  readonly messages: readonly ToolMessage[];
  readonly rejected: number;
  readonly truncated: number;
  /** What ends the run: the first such failure in the model's order. */
  readonly fatal?: { readonly call: ToolCall; readonly error: unknown; readonly attempts: number };
  /** How all calls stand when some of them wait for approval; absent when none does. */
  readonly paused?: readonly SavedCall[];
}

/** An outcome, and whether it stands for a call that was not to be run at all. */
type Settled = Outcome & { readonly isRejected?: true };

/** The outcomes of one turn as they come in. */
export class ToolBatch<Deps> {
  readonly #plan: ToolPlan<Deps>;
  readonly #facts: TurnFacts<Deps>;
  readonly #outcomes: (Outcome | undefined)[];
  readonly #pending = new Map<number, NonNullable<Outcome['pending']>>();
  #reported = 0;
  /** Calls whose end was told before the run was paused. */
  readonly #told = new Set<number>();
  #rejected = 0;
  #truncated = 0;
  #stopped = false;

  constructor(plan: ToolPlan<Deps>, facts: TurnFacts<Deps>) {
    this.#plan = plan;
    this.#facts = facts;
    const { calls, turn, emit, resumed } = facts;
    this.#outcomes = calls.map((_, index) => reopenCall(resumed?.calls[index]));
    if (resumed) {
      for (const [index, outcome] of this.#outcomes.entries()) if (outcome) this.#told.add(index);
      return;
    }
    for (const call of calls) emit?.({ type: 'tool-call', ...about(call, turn), arguments: call.arguments });
    this.#tellProgress();
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
        if (call !== undefined && ready !== undefined && this.#outcomes[index] === undefined)
          this.#settle(index, await this.#one(index, call, ready));
      }
    };
    const workers = Math.min(this.#plan.parallel, end - start);
    await Promise.all(Array.from({ length: workers }, work));
  }

  async #one(index: number, call: ToolCall, ready: PreparedCall<Deps>): Promise<Settled> {
    const { turn, deps, signal, emit, calls, trace: parent, link } = this.#facts;
    const { maxCallsPerTurn, clock, tracing } = this.#plan;
    if (index >= maxCallsPerTurn) {
      return { content: surplus(calls.length, maxCallsPerTurn), failure: notCounted, isRejected: true };
    }
    if (!ready.ok) return { ...toFailure(call.name, ready.error), isRejected: true };
    signal?.throwIfAborted();
    const { approve, pauses } = this.#plan;
    const resumed = resumeCall(this.#facts.resumed, index);
    const approved = resumed?.run
      ? { ok: true as const, args: ready.args }
      : await approveCall(ready.tool, ready.args, { call, signal, approve, pauses, resumed });
    if (!approved.ok) return approved.outcome;
    signal?.throwIfAborted();
    if (ready.changes.length > 0) {
      const message = `arguments of tool "${call.name}": ${ready.changes.join('; ')}`;
      emit?.({ type: 'note', turn, code: 'arguments-tidied', message });
    }
    emit?.({ type: 'tool-start', ...about(call, turn), arguments: call.arguments });
    return traceTool(tracing, parent, call, trace =>
      executeCall(ready.tool, approved.args, {
        ...{ call, turn, deps, signal, emit, clock, trace, link, pauses },
        resumed: resumed?.run,
      }),
    );
  }

  /** Gives what was never started a result that says so. */
  fillUp(): void {
    // Nobody is asked about a call of a run that has failed.
    if (this.#stopped) this.#pending.clear();
    for (const index of this.#outcomes.keys()) {
      if (this.#outcomes[index] === undefined && !this.#pending.has(index)) {
        this.#settle(index, { content: 'Not run: another call of this turn failed.', failure: notCounted });
      }
    }
    this.#report(true);
  }

  /** Keeps the outcome. */
  #settle(index: number, outcome: Settled): void {
    if (outcome.isRejected === true) this.#rejected += 1;
    if (outcome.pending !== undefined) this.#pending.set(index, outcome.pending);
    else {
      const { cut, ...observed } = observeWithin(outcome, this.#plan.maxObservation);
      if (cut) this.#truncated += 1;
      this.#outcomes[index] = { ...observed, ...(outcome.failure && { failure: outcome.failure }) };
      if (this.#isFatal(index)) this.#stopped = true;
      this.#tellProgress();
    }
    this.#report();
  }

  #tellProgress(): void {
    const { calls, onProgress } = this.#facts;
    if (onProgress === undefined) return;
    const saved = saveCalls(calls, this.#outcomes);
    onProgress({ calls: saved, rejected: this.#rejected, truncated: this.#truncated });
  }

  /** Tells of what is complete from the front; at the end, of what stands behind calls that wait too. */
  #report(atEnd = false): void {
    const { calls, turn, emit } = this.#facts;
    for (; this.#reported < calls.length; this.#reported += 1) {
      if (this.#told.has(this.#reported) || (atEnd && this.#pending.has(this.#reported))) continue;
      const complete = this.#outcomes[this.#reported];
      const call = calls[this.#reported];
      if (complete === undefined || call === undefined) return;
      const { failure, structuredContent } = complete;
      emit?.({
        type: 'tool-end',
        ...about(call, turn),
        result: complete.content,
        ...(structuredContent === undefined ? {} : { structuredContent }),
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
    if (this.#pending.size > 0) return { ...counts, paused: saveCalls(calls, this.#outcomes, this.#pending) };
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

function surplus(asked: number, most: number): string {
  return `Not run: ${asked} calls were made in one turn and at most ${most} are run. Ask again for what is still needed.`;
}

function toMessage(call: ToolCall, { content, structuredContent, failure }: Outcome): ToolMessage {
  return {
    role: 'tool',
    toolCallId: call.id,
    toolName: call.name,
    content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(failure === undefined ? {} : { isError: true }),
  };
}

function about(call: ToolCall, turn: number): { turn: number; callId: string; tool: string } {
  return { turn, callId: call.id, tool: call.name };
}
