/** What a run knows and has used so far, and the errors that carry it. */
import type { Note } from '../models/collect.ts';
import { addUsage, type ModelMessage, noUsage, type ToolCall, type Usage } from '../models/model.ts';
import { RunAbortedError, type RunCounts, RunError, type RunFacts, type RunStage } from './errors.ts';
import { repairHistory } from './history.ts';

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
  usage: Usage = noUsage;
  counts: RunCounts = {
    turns: 0,
    toolCalls: 0,
    rejectedCalls: 0,
    truncatedObservations: 0,
    truncatedResponses: 0,
  };
  position: Position = { stage: 'model', where: 'before the first turn' };

  constructor(opening: ModelMessage[]) {
    this.messages = opening;
  }

  spend(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }

  count(more: Partial<RunCounts>): void {
    const counts = { ...this.counts };
    for (const key of Object.keys(more) as (keyof RunCounts)[]) counts[key] += more[key] ?? 0;
    this.counts = counts;
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
