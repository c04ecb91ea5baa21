/** Which calls a library was told to ask about; one that comes back to be run has been agreed to. */
import type { Call } from './run-call.ts';

/** Calls that were refused never come back; beyond this many the oldest are forgotten, and then fail. */
const most = 1_000;

/** Remembers calls by tool and id. A library that never asks, whatever it was told, runs nothing. */
export class AskedCalls {
  readonly #keys = new Set<string>();

  add(call: Pick<Call, 'name' | 'id'>): void {
    this.#keys.add(keyOf(call));
    const [oldest] = this.#keys;
    if (this.#keys.size > most && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Whether it is one of them, once. */
  take(call: Pick<Call, 'name' | 'id'>): boolean {
    return this.#keys.delete(keyOf(call));
  }
}

function keyOf({ name, id }: Pick<Call, 'name' | 'id'>): string {
  return `${name} ${id}`;
}
