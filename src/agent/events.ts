/** What happens in a run, as a union of events; turns are numbered from 1 over the whole run. */
import type { FinishReason, ToolMessage, Usage } from '../models/model.ts';
import type { LogLevel } from '../tools/context.ts';
import type { PendingCall } from './approval/paused-state.ts';
import type { RunCounts } from './errors.ts';

/** Names the tool call an event is about. */
interface OfCall {
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
}

/**
 * In order: `run-start`, then for each turn `turn-start`, `model-start`, deltas, `model-end`, a `tool-call` for each
 * call of the response, and what happens to the calls; last `run-end` or `run-paused`. Every `tool-call` has one
 * `tool-end`, in the order of the model, unless the run is aborted; calls that wait for approval have it when the run is
 * resumed, which begins with `run-start` again; only calls that are run have a `tool-start`, in the same order. A call
 * that gives the output, and those beside it, have none of these.
 */
export type RunEvent =
  | { readonly type: 'run-start' }
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'model-start'; readonly turn: number; readonly model: string }
  | {
      readonly type: 'model-end';
      readonly turn: number;
      /** What this turn used. */
      readonly usage: Usage;
      readonly finish?: FinishReason;
      /** Set when the model failed. */
      readonly error?: unknown;
    }
  | { readonly type: 'text-delta'; readonly turn: number; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly turn: number; readonly text: string }
  /** The next piece of a call's raw arguments as the model writes them; the first one may be empty. */
  | ({ readonly type: 'tool-input-delta'; readonly arguments: string } & OfCall)
  /** `arguments` is the raw text of the model, perhaps malformed, and not redacted. */
  | ({ readonly type: 'tool-call'; readonly arguments: string } & OfCall)
  | ({ readonly type: 'tool-start'; readonly arguments: string } & OfCall)
  | ({
      readonly type: 'tool-progress';
      readonly done: number;
      readonly total?: number;
      readonly message?: string;
    } & OfCall)
  | ({
      readonly type: 'tool-log';
      readonly level: LogLevel;
      readonly data: unknown;
      readonly logger?: string;
    } & OfCall)
  | ({
      readonly type: 'tool-end';
      /** The whole result, as the transcript keeps it; the model may be shown less. */
      readonly result: ToolMessage['content'];
      readonly structuredContent?: unknown;
      readonly isError: boolean;
      /** What was thrown, when something was. */
      readonly error?: unknown;
    } & OfCall)
  /** The final text is not the output that was asked for; `attempt` numbers the answer that follows, 2 at first. */
  | {
      readonly type: 'output-rejected';
      readonly turn: number;
      readonly attempt: number;
      readonly message: string;
    }
  /** Something worth knowing that changed nothing. */
  | { readonly type: 'note'; readonly turn: number; readonly code: string; readonly message: string }
  /** What happens in a run that the tool of this call has started. */
  | ({ readonly type: 'delegated'; readonly event: RunEvent } & OfCall)
  /** Last of a run that waits for approval; what follows comes with `resume`. */
  | {
      readonly type: 'run-paused';
      readonly turn: number;
      readonly pending: readonly PendingCall[];
      readonly usage: Usage;
      readonly counts: RunCounts;
    }
  | {
      readonly type: 'run-end';
      readonly usage: Usage;
      readonly counts: RunCounts;
      /** The RunError, when the run failed. */
      readonly error?: unknown;
    };

/** Watches a run. What it throws or rejects with is dropped: watching never changes the run. */
export type RunObserver = (event: RunEvent) => unknown;
