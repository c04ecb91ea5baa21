/** How much may be under way at once: the rest waits in order, and can be called off while it waits. */
import { onAbort } from './abort.ts';

export class Slots {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether whoever asks now has to wait. */
  get full(): boolean {
    return this.#taken >= this.#limit;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when there is room; call what it gives when done. Rejects with the signal's reason. */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.full) await this.#wait(signal);
    else this.#taken += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#release();
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        stop?.();
        resolve();
      };
      this.#waiting.add(go);
      const stop = signal
        ? onAbort(signal, () => {
            if (this.#waiting.delete(go)) reject(signal.reason);
          })
        : undefined;
    });
  }

  /** The place goes to whoever waits longest, or becomes free. */
  #release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
