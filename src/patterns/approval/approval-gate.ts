/** The approval gate at work: asks, waits, and lets a call through only when it was allowed. */
import { raceAbort } from '../../basics/abort.ts';
import type { Clock } from '../../basics/clock.ts';
import { messageOf } from '../../basics/failure.ts';
import { notify } from '../../basics/notify.ts';
import { redact } from '../../basics/redact.ts';
import { shorten } from '../../basics/shorten.ts';
import { runWithin } from '../../basics/time-limit.ts';
import { TimeoutError } from '../../basics/timeout-error.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { type ApprovalOutcome, errorName, maskText, maskValues, type Observers } from '../contract/trace.ts';
import type { ApprovalOptions, ApprovalRequest } from './approval.ts';

/** What the gate tells whoever set it up. */
export interface GateHooks {
  /** A call was not let through, whatever the reason; not called when the run was cancelled. */
  readonly onRefused?: (() => void) | undefined;
  /** Nobody decided in time, and that ends the run. */
  readonly onRaise?: ((error: TimeoutError) => void) | undefined;
  /** Nobody decided in time, and the tool runs all the same. */
  readonly onFailOpen?: ((message: string) => void) | undefined;
}

export interface GateFacts extends Pick<Observers, 'onTrace' | 'traceContent'>, GateHooks {
  readonly clock: Clock;
}

/**
 * Resolves when the tool may run. Rejects with a ToolError when it may not, with a TimeoutError when that ends the run,
 * and with the reason of the request's signal at once when that aborts; what is decided later is dropped.
 */
export type Gate = (request: ApprovalRequest) => Promise<void>;

/** One gate for all the tools behind it. */
export function approvalGate(options: ApprovalOptions, facts: GateFacts): Gate {
  const takeTurn = options.sequential === true ? turnstile() : undefined;
  const pass: Gate = async request => {
    request.signal.throwIfAborted();
    const { callId: id = '', tool: name } = request;
    const { onTrace, traceContent } = facts;
    const shown = maskValues(request.arguments, traceContent);
    notify(onTrace, { type: 'approval-asked', id, name, arguments: shown });
    const answer = await decide(options, request, facts.clock);
    notify(onTrace, {
      type: 'approval-decided',
      id,
      name,
      outcome: answer.outcome,
      ...(answer.reason === undefined ? {} : { reason: maskText(answer.reason, traceContent) }),
      ...(answer.outcome !== 'failed'
        ? {}
        : { error: errorName(answer.error), detail: maskText(messageOf(answer.error), traceContent) }),
    });
    conclude(answer, request, options, facts);
  };
  if (takeTurn === undefined) return pass;
  return request => takeTurn(request.signal, () => pass(request));
}

interface Answer {
  readonly outcome: ApprovalOutcome;
  readonly reason?: string | undefined;
  /** Of the gate, when it failed. */
  readonly error?: unknown;
}

/** Never rejects. */
async function decide(
  { ask, timeout }: ApprovalOptions,
  request: ApprovalRequest,
  clock: Clock,
): Promise<Answer> {
  const { signal, tool } = request;
  let late: TimeoutError | undefined;
  const expired = (ms: number): TimeoutError => {
    late = timeoutError(tool, ms);
    return late;
  };
  try {
    const limit = { ms: timeout, clock, signal, expired };
    return readDecision(await runWithin(limit, own => ask({ ...request, signal: own })));
  } catch (error) {
    if (signal.aborted) return { outcome: 'cancelled' };
    return late === undefined ? { outcome: 'failed', error } : { outcome: 'timed-out' };
  }
}

/** Throws for what is no decision: something truthy by accident must not let a tool run. */
function readDecision(decision: unknown): Answer {
  if (typeof decision === 'boolean') return { outcome: decision ? 'approved' : 'denied' };
  if (typeof decision === 'object' && decision !== null) {
    const { allow, reason } = decision as { readonly allow?: unknown; readonly reason?: unknown };
    if (typeof allow === 'boolean') {
      const outcome = allow ? 'approved' : 'denied';
      return typeof reason === 'string' && reason.trim() !== '' ? { outcome, reason } : { outcome };
    }
  }
  throw new TypeError('the decision is neither a boolean nor an object with a boolean allow');
}

/** Returns when the tool may run, and throws otherwise. */
function conclude(
  { outcome, reason }: Answer,
  { tool, signal }: ApprovalRequest,
  { timeout, onTimeout = 'deny' }: ApprovalOptions,
  hooks: GateHooks,
): void {
  if (outcome === 'approved') return;
  if (outcome === 'cancelled') throw signal.reason;
  if (outcome === 'timed-out' && onTimeout === 'approve') {
    hooks.onFailOpen?.(`tool "${tool}" ran without approval: nobody decided within ${timeout} ms`);
    return;
  }
  hooks.onRefused?.();
  if (outcome === 'timed-out' && onTimeout === 'raise') {
    const error = timeoutError(tool, timeout);
    hooks.onRaise?.(error);
    throw error;
  }
  const why: Readonly<Record<typeof outcome, string>> = {
    denied: `the operator denied it${reason === undefined ? '' : `: ${shorten(redact(reason.trim()), longestReason)}`}`,
    'timed-out': `nobody approved it within ${timeout} ms`,
    // The gate's own words are for its operator: the trace has them.
    failed: 'it could not be approved',
  };
  throw new ToolError(`Tool "${tool}" was not run: ${why[outcome]}`);
}

const longestReason = 500;

function timeoutError(tool: string, timeout: number | undefined): TimeoutError {
  const ms = timeout ?? 0;
  return new TimeoutError(`nobody approved a call of tool "${tool}" within ${ms} ms`, {
    phase: `approval of tool ${tool}`,
    limit: 'total',
    ms,
    hint: 'Raise the timeout of the approval, or set its onTimeout to "deny" so that the model is told.',
  });
}

type TakeTurn = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Work one after the other, in the order it came; who is aborted leaves the queue at once. */
function turnstile(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  return async (signal, work) => {
    const before = last;
    let leave = (): void => {};
    const mine = new Promise<void>(resolve => {
      leave = resolve;
    });
    // One that leaves early must not let the next pass those who are still before it.
    last = before.then(() => mine);
    try {
      await raceAbort(before, signal);
      return await work();
    } finally {
      leave();
    }
  };
}
