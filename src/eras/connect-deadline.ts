/** How long connecting may take: a limit that a starting child puts off by talking on stderr, and one in all. */
import type { Clock, Timer } from '../basics/clock.ts';
import { TimeoutError } from '../basics/timeout-error.ts';

/** Milliseconds. */
export interface ConnectLimits {
  /** From the start, and again from each sign on stderr. */
  readonly connect: number;
  readonly connectTotal: number;
}

export class ConnectDeadline {
  readonly #clock: Clock;
  readonly #limits: ConnectLimits;
  readonly #controller = new AbortController();
  readonly #totalTimer: Timer;
  #timer: Timer;
  #noise = 0;

  constructor(clock: Clock, limits: ConnectLimits, label: string) {
    this.#clock = clock;
    this.#limits = limits;
    this.#label = label;
    this.#timer = this.#begin();
    this.#totalTimer = clock.after(limits.connectTotal, () => this.#expire(limits.connectTotal), true);
  }

  readonly #label: string;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The peer is still starting. */
  extend(): void {
    this.#timer.cancel();
    this.#timer = this.#begin();
  }

  /** What is printed that is no message says more of why no answer came than the time that passed. */
  noise(): void {
    this.#noise += 1;
  }

  stop(): void {
    this.#timer.cancel();
    this.#totalTimer.cancel();
  }

  #begin(): Timer {
    return this.#clock.after(this.#limits.connect, () => this.#expire(this.#limits.connect), true);
  }

  #expire(ms: number): void {
    this.stop();
    const lines = this.#noise === 1 ? '1 line' : `${this.#noise} lines`;
    const printed = this.#noise > 0 ? `; it printed ${lines} on stdout that are no messages` : '';
    this.#controller.abort(
      new TimeoutError(`connect: ${this.#label} did not answer within ${ms} ms${printed}`, {
        phase: 'connect',
        limit: 'connect',
        ms,
        hint:
          this.#noise > 0
            ? 'Is it an MCP server over stdio, and started as one? What it logs belongs on stderr.'
            : 'A first run may still be installing: raise timeouts.connect, or start the server once by hand.',
      }),
    );
  }
}
