/** Effects that must happen once although a client may send the same round again: remembered in a store. */
import { TenonError } from '../../basics/failure.ts';
import type { StateStore } from '../../basics/state-store.ts';

const begun = 'begun';

export class Effects {
  readonly #store: StateStore | undefined;
  readonly #ttl: number;
  /** What runs in this process now, so that a second round waits for it. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(store: StateStore | undefined, ttl: number) {
    this.#store = store;
    this.#ttl = ttl;
  }

  /** False when effects are remembered in the sealed state alone. */
  get kept(): boolean {
    return this.#store !== undefined;
  }

  /** Runs the effect named by `key` unless it ran; gives its JSON value either way. One that fails may run again. */
  run<T>(key: string, effect: () => T | Promise<T>): Promise<T> {
    const store = this.#store;
    if (!store) return Promise.resolve().then(effect);
    const known = this.#running.get(key);
    if (known) return known as Promise<T>;
    const running = this.#claim(store, key, effect).finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  async #claim<T>(store: StateStore, key: string, effect: () => T | Promise<T>): Promise<T> {
    if (!(await store.add(key, begun, this.#ttl))) return recall(await store.get(key)) as T;
    let value: T;
    try {
      value = await effect();
    } catch (thrown) {
      await store.delete(key);
      throw thrown;
    }
    await store.set(key, JSON.stringify([value ?? null]), this.#ttl);
    return value;
  }
}

function recall(text: string | undefined): unknown {
  if (text !== undefined && text !== begun) return (JSON.parse(text) as readonly unknown[])[0];
  throw new TenonError('an effect of this call was begun elsewhere and its outcome is not known', {
    hint: 'Look whether it happened before you make the call again from its beginning.',
  });
}
