/** Lets calls run side by side, and a sequential one alone; the libraries start all calls of a turn at once. */
import { raceAbort } from '../../basics/abort.ts';

interface Waiting {
  readonly alone: boolean;
  readonly go: () => void;
}

/** In the order of arrival: what waits behind a sequential call waits for it. */
export class Turnstile {
  readonly #waiting: Waiting[] = [];
  #inside = 0;
  #closed = false;

  /** Runs `work` when its turn has come. Rejects at once with the signal's reason when that aborts before. */
  async pass<T>(alone: boolean, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    let go = (): void => {};
    const turn = new Promise<void>(resolve => {
      go = resolve;
    });
    const entry: Waiting = { alone, go };
    this.#waiting.push(entry);
    this.#admit();
    try {
      await raceAbort(turn, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(entry);
      // It may have been let in at the same moment.
      if (place === -1) this.#leave();
      else this.#waiting.splice(place, 1);
      this.#admit();
      throw error;
    }
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    this.#inside -= 1;
    if (this.#inside === 0) this.#closed = false;
    this.#admit();
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#closed || (next.alone && this.#inside > 0)) return;
      this.#waiting.shift();
      this.#inside += 1;
      this.#closed = next.alone;
      next.go();
    }
  }
}
