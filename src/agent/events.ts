/** What happens in a run, as a union of events; turns are numbered from 1 over the whole run. */
import type { FinishReason, ToolMessage, Usage } from '../models/model.ts';
import type { LogLevel } from '../tools/context.ts';
import type { RunCounts } from './errors.ts';

/** Names the tool call an event is about. */
interface OfCall {
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
}

/**
 * In order: `run-start`, then for each turn `turn-start`, `model-start`, deltas, `model-end`, a `tool-call` for each
 * call of the response, and what happens to the calls; last `run-end`. Every `tool-call` has one `tool-end`, in the
 * order of the model, unless the run is aborted; only calls that are run have a `tool-start`, in the same order.
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
      /** What the model reads. */
      readonly result: ToolMessage['content'];
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
  | {
      readonly type: 'run-end';
      readonly usage: Usage;
      readonly counts: RunCounts;
      /** The RunError, when the run failed. */
      readonly error?: unknown;
    };

/** Watches a run. What it throws or rejects with is dropped: watching never changes the run. */
export type RunObserver = (event: RunEvent) => unknown;
