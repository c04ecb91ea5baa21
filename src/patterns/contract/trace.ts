/** What a pattern tells an observer while it works; content is masked unless asked for. */
import { messageOf } from '../../basics/failure.ts';
import { isObject } from '../../basics/json.ts';
import type { Cost } from './result.ts';

/** `cost` is what the whole pattern has spent when the event happens; `call` numbers the model calls from 1. */
export type TraceEvent =
  | {
      readonly type: 'llm-start';
      readonly call: number;
      readonly attempt: number;
      readonly model: string;
      readonly cost: Cost;
    }
  | {
      readonly type: 'llm-end';
      readonly call: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly text: string;
      readonly cost: Cost;
    }
  /** `error` is the name of the error; its message may quote content, and is told only with `traceContent`. */
  | {
      readonly type: 'llm-error';
      readonly call: number;
      readonly error: string;
      readonly message?: string;
      readonly cost: Cost;
    }
  /** What `onCheckpoint` threw or rejected with; told as the error of a model is. The work goes on. */
  | { readonly type: 'checkpoint-failed'; readonly error: string; readonly message?: string }
  /** The names of the arguments are shown even when their values are masked. */
  | {
      readonly type: 'tool-start';
      readonly id: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool-end';
      readonly id: string;
      readonly name: string;
      readonly isError: boolean;
      readonly result: string;
    }
  /** Somebody must agree before the tool runs. Between `tool-start` and `tool-end`; `id` is empty outside `reactLoop`. */
  | {
      readonly type: 'approval-asked';
      readonly id: string;
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'approval-decided';
      readonly id: string;
      readonly name: string;
      readonly outcome: ApprovalOutcome;
      /** What was said with the decision. */
      readonly reason?: string;
      /** Name and message of what the gate threw, when it failed. */
      readonly error?: string;
      readonly detail?: string;
    };

/** What came of asking. `failed`: the gate threw, or gave no decision; `cancelled`: the run ended before. */
export type ApprovalOutcome = 'approved' | 'denied' | 'timed-out' | 'failed' | 'cancelled';

/** How far a pattern is: samples or rounds that are done, of how many. */
export interface PatternProgress {
  readonly done: number;
  readonly total: number;
}

/** How to watch a pattern. What an observer throws or rejects with is dropped: watching never changes the work. */
export interface Observers {
  readonly onProgress?: ((progress: PatternProgress) => void) | undefined;
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  /** Show prompts' answers, arguments and results in trace events instead of their lengths; false by default. */
  readonly traceContent?: boolean | undefined;
}

/** What an event may say of an error: its name, never its message, which may quote content. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** An error as an event tells it: with its message only where content may be shown. */
export function describeError(
  error: unknown,
  show: boolean | undefined,
): { readonly error: string; readonly message?: string } {
  return { error: errorName(error), ...(show === true ? { message: messageOf(error) } : {}) };
}

/** The text, or only how long it is. */
export function maskText(text: string, show: boolean | undefined): string {
  return show === true ? text : `[${text.length} characters]`;
}

/** Raw JSON arguments by name, each value masked unless `show`. Arguments that are not an object have no names. */
export function maskArguments(raw: string, show: boolean | undefined): Readonly<Record<string, unknown>> {
  try {
    return maskValues(JSON.parse(raw), show);
  } catch {
    return {};
  }
}

/** The properties of arguments that were read already, each masked unless `show`. */
export function maskValues(value: unknown, show: boolean | undefined): Readonly<Record<string, unknown>> {
  if (!isObject(value)) return {};
  const entries = Object.entries(value).map(([key, entry]) => [key, show === true ? entry : '[masked]']);
  return Object.fromEntries(entries);
}
