/** Where a server keeps what must outlive one request: the contract for stores of others, and one in memory. */
import { type Clock, systemClock } from './clock.ts';

/** Texts by key, each for a time in milliseconds; after that it is as if it had never been there. */
export interface StateStore {
  /** Keeps the text unless the key is there already, in one step; says whether it did. */
  add(key: string, text: string, ttl: number): boolean | Promise<boolean>;
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, text: string, ttl: number): void | Promise<void>;
  delete(key: string): void | Promise<void>;
}

export interface MemoryStoreOptions {
  /** Most entries; the oldest goes when there is one more. 1,000. */
  readonly entries?: number | undefined;
  /** For tests. */
  readonly clock?: Clock | undefined;
}

/** A store for servers of one process. */
export function memoryStore({ entries = 1000, clock = systemClock }: MemoryStoreOptions = {}): StateStore {
  const kept = new Map<string, { readonly text: string; readonly until: number }>();
  const get = (key: string): string | undefined => {
    const entry = kept.get(key);
    if (entry && entry.until > clock.now()) return entry.text;
    kept.delete(key);
    return undefined;
  };
  const set = (key: string, text: string, ttl: number): void => {
    kept.delete(key);
    kept.set(key, { text, until: clock.now() + ttl });
    const [oldest] = kept.keys();
    if (kept.size > entries && oldest !== undefined) kept.delete(oldest);
  };
  return {
    get,
    set,
    add(key, text, ttl) {
      if (get(key) !== undefined) return false;
      set(key, text, ttl);
      return true;
    },
    delete: key => void kept.delete(key),
  };
}
