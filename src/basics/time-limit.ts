/** Work with a limit of time: the work hears of its end by a signal, whoever waits by an error. */
import { linkAbort, raceAbort } from './abort.ts';
import type { Clock } from './clock.ts';

export interface TimeLimit {
  /** Milliseconds; no limit when there is none, or it is Infinity. */
  readonly ms: number | undefined;
  readonly clock: Clock;
  /** Ends the work as well, and before everything else. */
  readonly signal: AbortSignal | undefined;
  /** The error when the time is over: the reason of the work's signal, and what is rejected with. */
  readonly expired: (ms: number) => Error;
}

/**
 * The outcome of `work`. Rejects at once, with the signal's reason when that aborts or with `expired` when the time is
 * over, whatever the work makes of its own signal; what still comes of it is dropped. Leaves no timer and no listener.
 * The timer keeps the process alive: somebody waits for the outcome.
 */
export async function runWithin<T>(
  { ms, clock, signal, expired }: TimeLimit,
  work: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const timed = ms !== undefined && ms !== Number.POSITIVE_INFINITY;
  const controller = timed ? new AbortController() : undefined;
  const unlink = controller && linkAbort([signal], controller);
  let over: Error | undefined;
  const onTime = (): void => {
    over = expired(ms ?? 0);
    controller?.abort(over);
  };
  const timer = timed ? clock.after(ms, onTime, true) : undefined;
  const own = controller?.signal ?? signal ?? new AbortController().signal;
  try {
    // The wrapper turns what is thrown at once into a rejection.
    const running = (async () => await work(own))();
    return await raceAbort(running, own);
  } catch (error) {
    signal?.throwIfAborted();
    throw over ?? error;
  } finally {
    timer?.cancel();
    unlink?.();
  }
}
