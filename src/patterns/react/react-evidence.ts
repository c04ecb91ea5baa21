/** What is known of a run of `reactLoop`, and the error that carries it. */
import { isRunError, type RunCounts, type RunError } from '../../agent/errors.ts';
import { messageOf } from '../../basics/failure.ts';
import type { ModelMessage } from '../../models/model.ts';
import type { Meter } from '../asking/meter.ts';
import { describeReason, kindOf } from '../contract/failures.ts';
import { PatternError, type PatternErrorKind } from '../contract/pattern-error.ts';
import type { Cost } from '../contract/result.ts';
import type { RunGuard } from './react-approval.ts';

export interface ReactEvidence {
  /** Responses of the model. */
  readonly rounds: number;
  /** Calls of known tools, those with unusable arguments included. */
  readonly toolCalls: number;
  /** Calls that were not run: unknown tool, unusable arguments, or too many in a round. */
  readonly rejectedToolCalls: number;
  /** Calls that the approval gate did not let run: denied, not decided in time, or the gate failed. */
  readonly deniedToolCalls: number;
  readonly truncatedObservations: number;
  /** Responses that were cut off at their token limit. */
  readonly truncatedResponses: number;
  readonly terminationReason: 'answered' | PatternErrorKind;
  /** The whole conversation; pass it as the second argument to go on from here. */
  readonly messages: readonly ModelMessage[];
  /** What else there is to know, as sentences. */
  readonly notes: readonly string[];
}

/** What watched a run. */
export interface RunWatchers {
  readonly meter: Meter;
  readonly guard: RunGuard;
}

export function gatherEvidence(
  { counts, messages }: { readonly counts: RunCounts; readonly messages: readonly ModelMessage[] },
  terminationReason: ReactEvidence['terminationReason'],
  { meter, guard }: RunWatchers,
): ReactEvidence {
  return {
    rounds: counts.turns,
    toolCalls: counts.toolCalls,
    rejectedToolCalls: counts.rejectedCalls,
    deniedToolCalls: guard.denied(),
    truncatedObservations: counts.truncatedObservations,
    truncatedResponses: counts.truncatedResponses,
    terminationReason,
    messages: Object.freeze([...messages]),
    notes: meter.notes,
  };
}

/** What stopped the loop, as its one error. */
export function toError(
  error: unknown,
  {
    cost,
    maxRounds,
    signal,
  }: { readonly cost: Cost; readonly maxRounds: number; readonly signal: AbortSignal | undefined },
  watchers: RunWatchers,
): PatternError {
  if (!isRunError(error)) {
    return new PatternError(`reactLoop: ${messageOf(error)}`, { kind: 'run-failed', cost, cause: error });
  }
  const raised = watchers.guard.raised();
  const { kind, message } =
    raised !== undefined && error.cause === raised
      ? { kind: 'approval' as const, message: raised.message }
      : explain(error, maxRounds, signal);
  const evidence = gatherEvidence(error, kind, watchers);
  const cause = kind === 'run-failed' || kind === 'rounds-exhausted' ? error : error.cause;
  const { hint } = (error.cause ?? error) as { readonly hint?: string };
  return new PatternError(`reactLoop: ${message}`, { kind, cost, cause, evidence, hint });
}

function explain(
  error: RunError,
  maxRounds: number,
  signal: AbortSignal | undefined,
): { readonly kind: PatternErrorKind; readonly message: string } {
  const kind = kindOf(error.cause, signal, 'run-failed');
  if (kind === 'aborted') return { kind, message: describeReason(error.cause) };
  if (error.stage !== 'loop') return { kind, message: error.message };
  const message = `the model gave no final answer within ${maxRounds} rounds; raise maxRounds, or ask for less at once`;
  return { kind: 'rounds-exhausted', message };
}
