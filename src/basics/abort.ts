/** Waiting for abort signals without leaking listeners, however many wait for the same one. */

interface Waiting {
  readonly run: () => void;
}

/** Who waits for a signal; all of them stand behind one listener on it. */
const waitingFor = new WeakMap<
  AbortSignal,
  { readonly waiting: Set<Waiting>; readonly listener: () => void }
>();

/**
 * Calls `callback` once when `signal` aborts, at once when it already has. Returns a function that stops waiting. A
 * signal never carries more than one listener of ours, and none when nobody waits.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const entry: Waiting = { run: callback };
  const shared = waitingFor.get(signal) ?? listenTo(signal);
  shared.waiting.add(entry);
  return () => {
    if (!shared.waiting.delete(entry) || shared.waiting.size > 0) return;
    signal.removeEventListener('abort', shared.listener);
    if (waitingFor.get(signal) === shared) waitingFor.delete(signal);
  };
}

function listenTo(signal: AbortSignal): { readonly waiting: Set<Waiting>; readonly listener: () => void } {
  const waiting = new Set<Waiting>();
  const listener = (): void => {
    signal.removeEventListener('abort', listener);
    waitingFor.delete(signal);
    const thrown: unknown[] = [];
    // One that stops waiting meanwhile leaves the set and is not called.
    for (const entry of waiting) {
      waiting.delete(entry);
      try {
        entry.run();
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  };
  signal.addEventListener('abort', listener);
  const shared = { waiting, listener };
  waitingFor.set(signal, shared);
  return shared;
}

/**
 * Aborts `controller` with the reason of the first of `signals` that aborts. Returns a function that cuts the link;
 * call it when the work is over. It is cut by itself once the controller was aborted through it.
 */
export function linkAbort(
  signals: Iterable<AbortSignal | undefined>,
  controller: AbortController,
): () => void {
  const links: (() => void)[] = [];
  const unlink = (): void => {
    for (const stop of links.splice(0)) stop();
  };
  for (const signal of signals) {
    if (signal === undefined) continue;
    const stop = onAbort(signal, () => {
      unlink();
      controller.abort(signal.reason);
    });
    if (controller.signal.aborted) {
      stop();
      break;
    }
    links.push(stop);
  }
  return unlink;
}

/**
 * The outcome of `promise`, or a rejection with the signal's reason when that aborts first; then whatever becomes of
 * `promise` is dropped, its rejection too. Without a signal it is just the promise.
 */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = signal === undefined ? () => {} : onAbort(signal, () => reject(signal.reason));
    Promise.resolve(promise).then(
      value => {
        stop();
        resolve(value);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}
