/** Several calls of one turn at once, their results in order; for libraries whose loop the caller writes. */
import { TenonError } from '../../basics/failure.ts';
import { text } from '../../tools/content.ts';
import type { CallableTools } from './callable-tools.ts';
import { CallsError, type FailedCall } from './calls-error.ts';
import type { Call, CallResult } from './run-call.ts';

export interface RunCallsOptions {
  /** Aborts the calls. */
  readonly signal?: AbortSignal | undefined;
}

/** A call without the signal, which is that of all of them. */
export interface PendingCall extends Omit<Call, 'signal'> {
  /** Why it is not run, said to the model instead. */
  readonly refusal?: string | undefined;
}

/**
 * All are waited for. Then rejects with a CallsError, which holds what each gave, when one failed in a way that the
 * model cannot mend; with the reason of the signal when it was aborted before any call had a result.
 */
export async function runAll<C extends PendingCall, T>(
  tools: CallableTools,
  calls: readonly C[],
  { signal }: RunCallsOptions,
  render: (result: CallResult, call: C, shows: CallableTools['shows']) => T,
): Promise<T[]> {
  const failures: FailedCall[] = [];
  const settled = await Promise.allSettled(calls.map(async call => runOne(tools, call, signal)));
  const messages = settled.map((outcome, at) => {
    const call = calls[at] as C;
    if (outcome.status === 'fulfilled') return render(outcome.value, call, tools.shows);
    failures.push({ id: call.id, name: call.name, error: outcome.reason });
    return render(toResult(outcome.reason, call, signal), call, tools.shows);
  });
  if (failures.length === messages.length) signal?.throwIfAborted();
  if (failures.length > 0)
    throw new CallsError(messages, failures, signal?.aborted ? signal.reason : undefined);
  return messages;
}

async function runOne(
  tools: CallableTools,
  { id, name, input, refusal }: PendingCall,
  signal: AbortSignal | undefined,
): Promise<CallResult> {
  if (refusal !== undefined) return { content: [text(refusal)], isError: true };
  return tools.run({ id, name, input, signal });
}

/** What the model is told of a call that has no result; see `runCall` for what it rejects with. */
function toResult(error: unknown, { name }: PendingCall, signal: AbortSignal | undefined): CallResult {
  const aborted = signal?.aborted === true && error === signal.reason;
  const words = aborted
    ? `Tool "${name}" was aborted; what it had begun may have been done.`
    : error instanceof TenonError
      ? error.message
      : `Tool "${name}" failed.`;
  return { content: [text(words)], isError: true };
}
