/** Waiting for abort signals without leaking listeners, however many wait for the same one. */

/** One who waits for a signal. A link of a list: a set grows and shrinks by new tables that the collector keeps long. */
export class AbortWait {
  readonly run: () => void;
  readonly #waiters: Waiters;
  before: AbortWait | undefined;
  after: AbortWait | undefined;
  waits = true;

  constructor(waiters: Waiters, run: () => void) {
    this.#waiters = waiters;
    this.run = run;
  }

  /** Safe to call twice. */
  stop(): void {
    if (this.waits) this.#waiters.remove(this);
  }
}

/** All who wait for a signal, in order, behind one listener on it. */
class Waiters {
  readonly #signal: AbortSignal;
  #first: AbortWait | undefined;
  #last: AbortWait | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(run: () => void): AbortWait {
    const wait = new AbortWait(this, run);
    wait.before = this.#last;
    if (this.#last) this.#last.after = wait;
    else {
      this.#first = wait;
      this.#signal.addEventListener('abort', this);
    }
    this.#last = wait;
    return wait;
  }

  remove(wait: AbortWait): void {
    const { before, after } = wait;
    wait.waits = false;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    if (!this.#first) this.#signal.removeEventListener('abort', this);
  }

  handleEvent(): void {
    const thrown: unknown[] = [];
    // One that stops waiting meanwhile leaves the list and is not called.
    for (let wait = this.#first; wait; wait = this.#first) {
      this.remove(wait);
      try {
        wait.run();
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  }
}

/** Kept as long as the signal, so that waiting for one that many wait for makes little new. */
const waitersOf = new WeakMap<AbortSignal, Waiters>();

/**
 * Calls `callback` once when `signal` aborts, at once when it already has. Returns a function that stops waiting. A
 * signal never carries more than one listener of ours, and none when nobody waits.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const wait = waitFor(signal, callback);
  return () => wait?.stop();
}

/** As `onAbort`, without a function for each that waits; nothing when the signal has aborted. */
export function waitFor(signal: AbortSignal, callback: () => void): AbortWait | undefined {
  if (signal.aborted) {
    callback();
    return undefined;
  }
  let waiters = waitersOf.get(signal);
  if (waiters === undefined) {
    waiters = new Waiters(signal);
    waitersOf.set(signal, waiters);
  }
  return waiters.add(callback);
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

/** One signal for two; for what is seldom done, since making it costs more than a call. */
export function eitherSignal(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
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
