/** What waits under ids: found by id, and leaving nothing behind for the collector. */
import type { Id } from './message.ts';

/**
 * A `Map` grows and shrinks by beginning a new table that its old one points to. Once an old table has been moved to the
 * old generation, every later one is kept until a full collection, with whatever waited in it: a third of the cost of a
 * call on a busy connection. Here growing numbers have a place in two plain arrays, unless one that waits longer has it.
 */
export class IdTable<Value extends object> {
  readonly #mask: number;
  readonly #ids: Id[];
  readonly #values: (Value | undefined)[];
  /** What has no place: it was taken, or the id is no number. */
  readonly #others = new Map<Id, Value>();
  #placed = 0;

  /** `places`: how many numbers in a row have a place of their own; a power of 2. */
  constructor(places = 256) {
    this.#mask = places - 1;
    this.#ids = new Array<Id>(places).fill(-1);
    this.#values = new Array<Value | undefined>(places).fill(undefined);
  }

  get size(): number {
    return this.#placed + this.#others.size;
  }

  get(id: Id): Value | undefined {
    const place = this.#placeOf(id);
    const value = this.#values[place];
    if (value !== undefined && this.#ids[place] === id) return value;
    return this.#others.size === 0 ? undefined : this.#others.get(id);
  }

  /** The id must not be in use. */
  add(id: Id, value: Value): void {
    const place = this.#placeOf(id);
    if (typeof id === 'string' || this.#values[place] !== undefined) {
      this.#others.set(id, value);
      return;
    }
    this.#ids[place] = id;
    this.#values[place] = value;
    this.#placed += 1;
  }

  delete(id: Id): void {
    const place = this.#placeOf(id);
    if (this.#values[place] === undefined || this.#ids[place] !== id) {
      this.#others.delete(id);
      return;
    }
    this.#values[place] = undefined;
    this.#placed -= 1;
  }

  /** All that wait, in no order; what is added or deleted meanwhile does not matter. */
  entries(): readonly (readonly [Id, Value])[] {
    const found: [Id, Value][] = [...this.#others];
    for (const [place, value] of this.#values.entries()) {
      if (value !== undefined) found.push([this.#ids[place] ?? -1, value]);
    }
    return found;
  }

  #placeOf(id: Id): number {
    return typeof id === 'number' ? id & this.#mask : 0;
  }
}
