/** Who on a client waits for changes: hands each change to those who asked for its kind. */
import { onAbort } from '../basics/abort.ts';
import { AsyncQueue } from '../basics/queue.ts';
import { type Change, type ChangeFilter, wants } from '../protocol/change.ts';

/** Changes that wait for a slow reader; more are dropped, since each says only "look again". */
export const mostWaiting = 1000;

interface Watcher {
  readonly filter: ChangeFilter;
  readonly queue: AsyncQueue<Change>;
  /** Forgets the watcher; safe to call twice. */
  readonly finish: () => void;
}

export class Watchers {
  readonly #watchers = new Set<Watcher>();
  readonly #begin: (filter: ChangeFilter) => () => void;
  #lost: { readonly error: unknown } | undefined;

  /** `begin` is called for each watcher; what it returns, when the watcher is gone. */
  constructor(begin: (filter: ChangeFilter) => () => void) {
    this.#begin = begin;
  }

  /** Changes from now on; ends when `signal` aborts or its reader leaves, fails once the connection is lost. */
  watch(filter: ChangeFilter, signal: AbortSignal): AsyncIterable<Change> {
    let stop = (): void => {};
    let end = (): void => {};
    const finish = (): void => {
      stop();
      if (this.#watchers.delete(watcher)) end();
      queue.end();
    };
    const queue = new AsyncQueue<Change>({ limit: mostWaiting, abandoned: finish });
    const watcher: Watcher = { filter, queue, finish };
    if (this.#lost) queue.fail(this.#lost.error);
    else {
      this.#watchers.add(watcher);
      if (!signal.aborted) end = this.#begin(filter);
      stop = onAbort(signal, finish);
    }
    return queue;
  }

  tell(change: Change): void {
    for (const { filter, queue } of this.#watchers) if (wants(filter, change)) queue.push(change);
  }

  fail(error: unknown): void {
    this.#lost ??= { error };
    for (const { queue, finish } of [...this.#watchers]) {
      queue.fail(error);
      finish();
    }
  }

  end(): void {
    for (const { finish } of [...this.#watchers]) finish();
  }
}
