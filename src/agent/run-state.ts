/** What a run knows and has used so far, and the errors that carry it. */
import type { Note } from '../models/collect.ts';
import { countableUsage } from '../models/countable-usage.ts';
import type { ModelMessage, ToolCall, Usage } from '../models/model.ts';
import type { RunSnapshot } from './approval/paused-state.ts';
import { RunAbortedError, type RunCounts, RunError, type RunFacts, type RunStage } from './errors.ts';
import { repairHistory } from './history/history.ts';
import { Ledger } from './ledger.ts';

/** Where a run is, for the message of an abort. */
export interface Position {
  readonly stage: RunStage;
  readonly where: string;
}

export class RunState {
  readonly messages: ModelMessage[];
  readonly notes: Note[] = [];
  /** See `TurnFacts.strikes`. */
  readonly strikes: Map<string, number> = new Map();
  readonly ledger: Ledger;
  /** How many of the messages were there when the run began. */
  opening: number;
  #counts: Omit<RunCounts, 'toolCalls'> = {
    turns: 0,
    rejectedCalls: 0,
    truncatedObservations: 0,
    truncatedResponses: 0,
  };
  position: Position = { stage: 'model', where: 'before the first turn' };

  constructor(opening: ModelMessage[], ledger: Ledger = new Ledger()) {
    this.messages = opening;
    this.opening = opening.length;
    this.ledger = ledger;
  }

  /** How it stands now, as data. */
  snapshot({ turn, corrections, calls }: Pick<RunSnapshot, 'turn' | 'corrections' | 'calls'>): RunSnapshot {
    const { opening, usage, counts } = this;
    const strikes = Object.fromEntries(this.strikes);
    const [messages, notes] = [[...this.messages], [...this.notes]];
    return { messages, opening, turn, corrections, usage, counts, notes, strikes, calls };
  }

  /** Puts it where another one stood. */
  restore({ opening, usage, counts, notes, strikes }: RunSnapshot): void {
    const { toolCalls, ...others } = counts;
    this.opening = opening;
    this.ledger.restore(countableUsage(usage), toolCalls);
    this.#counts = { ...others };
    this.notes.push(...notes);
    for (const [tool, count] of Object.entries(strikes)) this.strikes.set(tool, count);
  }

  get usage(): Usage {
    return this.ledger.usage;
  }

  get counts(): RunCounts {
    return { ...this.#counts, toolCalls: this.ledger.toolCalls };
  }

  /** What the model used for so many requests that were dispatched. */
  spend(usage: Usage, dispatched = 0): void {
    this.ledger.settle(usage, dispatched);
  }

  count({ toolCalls = 0, ...more }: Partial<RunCounts>): void {
    this.ledger.addCalls(toolCalls);
    const counts = { ...this.#counts };
    for (const key of Object.keys(more) as (keyof typeof more)[]) counts[key] += more[key] ?? 0;
    this.#counts = counts;
  }

  /** The error for a failure here and now, its transcript complete. */
  failure(
    stage: RunStage,
    message: string,
    cause: unknown,
    more: { call?: ToolCall; attempts?: number } = {},
  ): RunError {
    const { call, attempts } = more;
    return new RunError(message, {
      ...this.#facts(stage, cause),
      tool: call?.name,
      callId: call?.id,
      attempts,
    });
  }

  aborted(reason: unknown): RunAbortedError {
    const { stage, where } = this.position;
    return new RunAbortedError(where, this.#facts(stage, reason));
  }

  #facts(stage: RunStage, cause: unknown): RunFacts {
    const messages = Object.freeze(repairHistory(this.messages));
    return { stage, cause, messages, usage: this.usage, counts: this.counts };
  }
}
