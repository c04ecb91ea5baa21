/** A wait that an abort ends. */
import { onAbort } from '../basics/abort.ts';
import type { Clock } from '../basics/clock.ts';

/** Resolves after so many milliseconds; rejects at once with the reason of an abort. Holds the process meanwhile. */
export function pause(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop = (): void => {};
    // Somebody waits for the response, so the process must not end meanwhile.
    const timer = clock.after(
      ms,
      () => {
        stop();
        resolve();
      },
      true,
    );
    if (signal === undefined) return;
    stop = onAbort(signal, () => {
      timer.cancel();
      reject(signal.reason);
    });
  });
}
