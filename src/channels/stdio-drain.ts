/** The time an inlet gets to settle its calls in at the end; it can be cut while it runs, never lengthened. */
import type { Clock, Timer } from '../basics/clock.ts';
import type { Inlet } from './channel.ts';

/** What an inlet gets beyond its time, in milliseconds, before it is given up. */
const margin = 250;

export class Drain {
  readonly #inlet: Inlet;
  readonly #clock: Clock;
  #due = Number.POSITIVE_INFINITY;
  #timer: Timer | undefined;
  #settle: () => void = () => {};
  /** Resolves when the inlet has settled, or did not in its time. */
  readonly settled: Promise<void>;

  constructor(inlet: Inlet, clock: Clock) {
    this.#inlet = inlet;
    this.#clock = clock;
    this.settled = new Promise(resolve => {
      this.#settle = () => {
        this.#timer?.cancel();
        resolve();
      };
    });
  }

  /** Closes the inlet with `ms` milliseconds to go; does nothing when less than that is left already. */
  give(reason: unknown, ms: number): void {
    const due = this.#clock.now() + ms;
    if (due >= this.#due) return;
    this.#due = due;
    this.#timer?.cancel();
    // Held, because a call that waits for nothing else would let the process end before its time is over.
    this.#timer = this.#clock.after(ms + margin, this.#settle, true);
    this.#close(reason, ms).then(this.#settle, this.#settle);
  }

  async #close(reason: unknown, ms: number): Promise<void> {
    await this.#inlet.close(reason, ms);
  }

  /** What remains of the time, at least `least` milliseconds. */
  left(least: number): number {
    return Math.max(this.#due - this.#clock.now(), least);
  }
}
