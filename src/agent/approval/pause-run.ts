/** The end of a run that waits for approval: what it gives instead of an output, and how it stands as data. */
import { messageOf } from '../../basics/failure.ts';
import type { Note } from '../../models/collect.ts';
import type { ModelMessage, Usage } from '../../models/model.ts';
import type { RunCounts } from '../errors.ts';
import type { RunObserver } from '../events.ts';
import type { RunState } from '../run-state.ts';
import {
  type PausedState,
  type PendingCall,
  pendingCalls,
  type SavedCall,
  toPausedState,
} from './paused-state.ts';

/** A run that goes on with `resume` once somebody has decided. Nothing of it is held in this process. */
export interface PausedRun {
  readonly paused: true;
  /** The calls that wait, in the order of the model. All others of their turn are done. */
  readonly pending: readonly PendingCall[];
  /** For `resume`; JSON-safe. */
  readonly state: PausedState;
  /** The conversation so far, the calls that wait without a result. */
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
  readonly counts: RunCounts;
  readonly notes: readonly Note[];
}

/** Where a run stopped. */
export interface Stop {
  readonly agent: string | undefined;
  readonly turn: number;
  readonly corrections: number;
  readonly calls: readonly SavedCall[];
  /** Results of the calls that are done. */
  readonly results: readonly ModelMessage[];
}

/** Throws a RunError when the run cannot be put into JSON, or is too large. */
export function pauseRun(state: RunState, stop: Stop, emit: RunObserver | undefined): PausedRun {
  const { messages, usage, counts, notes } = state;
  const { agent = null, turn, results } = stop;
  let saved: PausedState;
  try {
    saved = toPausedState({ kind: 'tenon.paused-run', version: 1, agent, ...state.snapshot(stop) });
  } catch (error) {
    throw state.failure('tool', `the run could not be paused: ${messageOf(error)}`, error);
  }
  const pending = pendingCalls(saved);
  emit?.({ type: 'run-paused', turn, pending, usage, counts });
  return { paused: true, pending, state: saved, messages: [...messages, ...results], usage, counts, notes };
}
