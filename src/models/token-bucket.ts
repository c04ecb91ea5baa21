/** A bucket of permits that fills up steadily: who takes one waits until there is one, in order. */
import { raceAbort } from '../basics/abort.ts';
import { type Clock, systemClock } from '../basics/clock.ts';
import { checkNumber } from '../basics/option-checks.ts';
import { pause } from './pause.ts';

export interface TokenBucketOptions {
  /** Requests per minute, above 0. */
  readonly perMinute: number;
  /** Most that may be saved up for a burst, at least 1; 1 unless set. The bucket starts full. */
  readonly burst?: number | undefined;
  /** Most milliseconds that a refusal shuts it for, whatever the provider asks for; 60,000 unless set. */
  readonly cap?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Made once for each limit of a provider, and given to all models that share it. */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #cap: number;
  readonly #clock: Clock;
  #permits: number;
  #at: number;
  #closedUntil = 0;
  #queue: Promise<unknown> = Promise.resolve();

  /** Throws a TypeError for odd options. */
  constructor(options: TokenBucketOptions) {
    const { perMinute, burst = 1, cap = 60_000, clock = systemClock } = options;
    checkNumber('rateLimit', 'perMinute', perMinute, { min: 0 });
    if (!(perMinute > 0)) throw new TypeError(`rateLimit: perMinute must be above 0, got ${perMinute}`);
    checkNumber('rateLimit', 'burst', burst, { min: 1 });
    checkNumber('rateLimit', 'cap', cap, { min: 0, infinite: true });
    this.#perMs = perMinute / 60_000;
    this.#burst = burst;
    this.#cap = cap;
    this.#clock = clock;
    this.#permits = burst;
    this.#at = clock.now();
  }

  /** Resolves when a permit was taken; those who ask first are served first. Rejects with the reason of an abort. */
  take(signal?: AbortSignal): Promise<void> {
    const turn = this.#queue.then(() => this.#wait(signal));
    this.#queue = turn.catch(() => undefined);
    return raceAbort(turn, signal);
  }

  /** Empties the bucket and shuts it for so many milliseconds, up to the cap; a longer time that was set before stays. */
  drain(ms: number): void {
    this.#fill();
    this.#permits = 0;
    this.#closedUntil = Math.max(this.#closedUntil, this.#clock.now() + Math.min(ms, this.#cap));
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      this.#fill();
      const closed = this.#closedUntil - this.#clock.now();
      const lacking = this.#permits >= 1 ? 0 : (1 - this.#permits) / this.#perMs;
      const ms = Math.max(closed, lacking);
      if (ms <= 0) break;
      await pause(ms, this.#clock, signal);
    }
    this.#permits -= 1;
  }

  #fill(): void {
    const now = this.#clock.now();
    this.#permits = Math.min(this.#burst, this.#permits + (now - this.#at) * this.#perMs);
    this.#at = now;
  }
}
