/** Telling somebody who only watches, so that nothing they do comes back. */

/** Calls `observer`; what it throws is dropped, and so is what it rejects with. Does nothing without one. */
export function notify<Args extends readonly unknown[]>(
  observer: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  try {
    const outcome = observer?.(...args);
    // The rejection of an async observer would be unhandled otherwise.
    if (outcome instanceof Promise) outcome.catch(() => undefined);
  } catch {
    // Dropped on purpose: watching never changes the work.
  }
}
