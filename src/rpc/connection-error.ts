/** The typed failure of a connection: what was going on, what happened to the request, and what is left to read. */
import { type FailureOptions, isFailure, summaryOf, TenonError } from '../basics/failure.ts';

/** How a child process ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What became of the request that failed: never sent, perhaps carried out, or certainly not carried out. */
export type Outcome = 'not-sent' | 'unknown' | 'failed';

export interface ConnectionFacts extends FailureOptions {
  /** What was going on: `spawn`, `connect`, `negotiate`, `read`, `write`, `close`, or a method name. */
  readonly phase: string;
  /** A short stable word for code: `command-not-found`, `exited`, `closed`, `line-too-long` … */
  readonly reason: string;
  readonly outcome: Outcome;
  /** Whether trying again can help; false unless said. */
  readonly retryable?: boolean;
  readonly exit?: ExitStatus | undefined;
  /** The last output of the child on stderr, bounded. */
  readonly stderrTail?: string | undefined;
  /** HTTP status, when there was one. */
  readonly status?: number | undefined;
  /** How long the peer wants to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The connection to the peer could not be made, or was lost. */
export class ConnectionError extends TenonError {
  override readonly name = 'ConnectionError';
  readonly phase: string;
  readonly reason: string;
  readonly outcome: Outcome;
  readonly retryable: boolean;
  readonly exit: ExitStatus | undefined;
  readonly stderrTail: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ConnectionFacts) {
    super(message, facts, ['ConnectionError']);
    this.phase = facts.phase;
    this.reason = facts.reason;
    this.outcome = facts.outcome;
    this.retryable = facts.retryable ?? false;
    this.exit = facts.exit;
    this.stderrTail = facts.stderrTail;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** True for a `ConnectionError` of this or any other copy of the package. */
export function isConnectionError(value: unknown): value is ConnectionError {
  return isFailure(value, 'ConnectionError');
}

/** The same failure seen from one request: its phase becomes the method, its outcome what that request knows. */
export function forRequest(
  error: ConnectionError,
  phase: string,
  outcome: Outcome,
  retryable: boolean = error.retryable,
): ConnectionError {
  return new ConnectionError(error.message, {
    phase,
    reason: error.reason,
    outcome,
    retryable,
    exit: error.exit,
    stderrTail: error.stderrTail,
    status: error.status,
    retryAfterMs: error.retryAfterMs,
    hint: error.hint,
    summary: summaryOf(error),
    cause: error,
  });
}
