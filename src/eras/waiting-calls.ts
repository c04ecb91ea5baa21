/** The calls of one connection that wait for their turn, in order, with the sizes of their messages. */
import type { RunningCall } from './running-call.ts';

export class WaitingCalls {
  readonly #sizes = new Map<RunningCall, number>();
  /** Kept between turns: one that starts anew would pass over all that was taken out before. */
  #order: Iterator<readonly [RunningCall, number], undefined> = this.#sizes.entries();
  #bytes = 0;

  get count(): number {
    return this.#sizes.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(call: RunningCall, bytes: number): void {
    this.#sizes.set(call, bytes);
    this.#bytes += bytes;
  }

  /** Does nothing for a call that does not wait. */
  remove(call: RunningCall): void {
    this.#bytes -= this.#sizes.get(call) ?? 0;
    this.#sizes.delete(call);
  }

  /** Takes out the one that has waited longest. */
  shift(): RunningCall | undefined {
    while (this.#sizes.size > 0) {
      const next = this.#order.next();
      if (next.done) this.#order = this.#sizes.entries();
      else {
        this.remove(next.value[0]);
        return next.value[0];
      }
    }
    return undefined;
  }

  /** Takes out all. */
  removeAll(): readonly RunningCall[] {
    const calls = [...this.#sizes.keys()];
    this.#sizes.clear();
    this.#bytes = 0;
    return calls;
  }
}
