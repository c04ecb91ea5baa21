/** How a run fails: with its stage, its cause, and everything that was said and spent until then. */
import { type FailureOptions, isFailure, messageOf, TenonError } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import { redact } from '../basics/redact.ts';
import type { ModelMessage, Usage } from '../models/model.ts';

/**
 * Where a run failed.
 * - `model`: the model gave no response
 * - `decode`: the final text is not the output that was asked for
 * - `tool`: a tool failed in a way the model cannot mend, or too often
 * - `loop`: the turns are used up; or instructions threw, or the loop itself did, which is a bug: see the cause
 * - `usage`: a limit was passed, or a budget forbade a request
 */
export type RunStage = 'model' | 'decode' | 'tool' | 'loop' | 'usage';

/** What a run counted. */
export interface RunCounts {
  /** Responses of the model that were asked for. */
  readonly turns: number;
  /** Calls of known tools, those with unusable arguments included. */
  readonly toolCalls: number;
  /** Calls that were not run: unknown tool, unusable arguments, or too many for one turn. */
  readonly rejectedCalls: number;
  /** Tool results that were cut to the permitted length. */
  readonly truncatedObservations: number;
  /** Responses that ended at the token limit. */
  readonly truncatedResponses: number;
}

export interface RunFacts extends FailureOptions {
  readonly stage: RunStage;
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
  readonly counts: RunCounts;
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
  readonly attempts?: number | undefined;
}

/** A run failed. The cause is what a model, a tool or a limit threw, as it was; the message and `toJSON` mask secrets. */
export class RunError extends TenonError {
  override readonly name: 'RunError' | 'AbortError';
  readonly stage: RunStage;
  /** The conversation until then, each call answered; it can be the `history` of another run. */
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
  readonly counts: RunCounts;
  /** The tool that failed, and the id of its call, at stage `tool`. */
  readonly tool: string | undefined;
  readonly callId: string | undefined;
  /** How often the tool failed in a row, at stage `tool`; or the output, at stage `decode`. */
  readonly attempts: number | undefined;

  constructor(message: string, facts: RunFacts, kinds: readonly string[] = []) {
    super(redact(message), facts, ['RunError', ...kinds]);
    this.name = kinds.includes('RunAbortedError') ? 'AbortError' : 'RunError';
    this.stage = facts.stage;
    this.messages = facts.messages;
    this.usage = facts.usage;
    this.counts = facts.counts;
    this.tool = facts.tool;
    this.callId = facts.callId;
    this.attempts = facts.attempts;
  }

  /** The transcript as its length: it may be long and private. */
  override toJSON(): Record<string, unknown> {
    const json = super.toJSON();
    return { ...json, ...maskedCause(json['cause']), messages: this.messages.length };
  }
}

/** The words of a cause are not ours: a tool's may quote a key. */
function maskedCause(cause: unknown): { readonly cause?: unknown } {
  if (typeof cause === 'string') return { cause: redact(cause) };
  if (!isObject(cause)) return {};
  const { message } = cause;
  return { cause: { ...cause, ...(typeof message === 'string' ? { message: redact(message) } : {}) } };
}

/** The caller's signal aborted. The cause is its reason; stage and message say where the run was. */
export class RunAbortedError extends RunError {
  constructor(where: string, facts: RunFacts) {
    super(`the run was aborted ${where}: ${messageOf(facts.cause)}`, facts, ['RunAbortedError']);
  }
}

/** True for a `RunError` of this or any other copy of the package, an abort included. */
export function isRunError(value: unknown): value is RunError {
  return isFailure(value, 'RunError');
}

/** True for a `RunAbortedError` of this or any other copy of the package. */
export function isRunAbortedError(value: unknown): value is RunAbortedError {
  return isFailure(value, 'RunAbortedError');
}
