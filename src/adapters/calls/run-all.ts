/** Several calls of one turn at once, their results in order; for libraries whose loop the caller writes. */
import type { CallableTools } from './callable-tools.ts';
import type { Call, CallResult } from './run-call.ts';

export interface RunCallsOptions {
  /** Aborts the calls. */
  readonly signal?: AbortSignal | undefined;
}

/** A call without the signal, which is that of all of them. */
export type PendingCall = Omit<Call, 'signal'>;

/** All are waited for; then the first failure that the model cannot mend is thrown, if there is one. */
export async function runAll<C extends PendingCall, T>(
  tools: CallableTools,
  calls: readonly C[],
  { signal }: RunCallsOptions,
  render: (result: CallResult, call: C, shows: CallableTools['shows']) => T,
): Promise<T[]> {
  const rendered = calls.map(async call => render(await tools.run({ ...call, signal }), call, tools.shows));
  const settled = await Promise.allSettled(rendered);
  signal?.throwIfAborted();
  return settled.map(outcome => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
