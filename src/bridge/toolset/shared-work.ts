/** Work that several wait for and that is done once: each may leave, and it stops when nobody waits any more. */
import { raceAbort } from '../../basics/abort.ts';

interface Running<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export class SharedWork<T> {
  readonly #start: (signal: AbortSignal) => Promise<T>;
  #running: Running<T> | undefined;

  /** `start` begins the work; its signal aborts when nobody waits for it any more. */
  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#start = start;
  }

  /** The outcome of the work that runs now, or of one that begins. Rejects at once when `signal` aborts. */
  async join(signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    const running = this.#running ?? this.#begin();
    running.waiting += 1;
    try {
      return await raceAbort(running.promise, signal);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        // Who comes now must not join work that is being given up.
        if (this.#running === running) this.#running = undefined;
        running.controller.abort(signal?.reason);
      }
    }
  }

  #begin(): Running<T> {
    const controller = new AbortController();
    const promise = this.#start(controller.signal);
    const running = { promise, controller, waiting: 0 };
    this.#running = running;
    const done = (): void => {
      if (this.#running === running) this.#running = undefined;
    };
    promise.then(done, done);
    return running;
  }
}
