/** Who on a client waits for changes: hands each change to those who asked for its kind. */

import { onAbort } from '../basics/abort.ts';
import { AsyncQueue } from '../basics/queue.ts';
import { type Change, type ChangeFilter, wants } from '../protocol/change.ts';

interface Watcher {
  readonly filter: ChangeFilter;
  readonly queue: AsyncQueue<Change>;
}

export class Watchers {
  readonly #watchers = new Set<Watcher>();
  #lost: { readonly error: unknown } | undefined;

  /** Changes from now on; ends when `signal` aborts, fails once the connection is lost. */
  watch(filter: ChangeFilter, signal: AbortSignal, onEnd?: () => void): AsyncIterable<Change> {
    const queue = new AsyncQueue<Change>();
    const watcher = { filter, queue };
    if (this.#lost) queue.fail(this.#lost.error);
    else this.#watchers.add(watcher);
    const stop = onAbort(signal, () => queue.end());
    const finish = (): void => {
      stop();
      if (this.#watchers.delete(watcher)) onEnd?.();
    };
    return untilLeft(queue, finish);
  }

  tell(change: Change): void {
    for (const { filter, queue } of this.#watchers) if (wants(filter, change)) queue.push(change);
  }

  fail(error: unknown): void {
    this.#lost ??= { error };
    for (const { queue } of this.#watchers) queue.fail(error);
    this.#watchers.clear();
  }

  end(): void {
    for (const { queue } of this.#watchers) queue.end();
  }
}

/** Iterates the queue; `finish` runs when the reader leaves or it ends. */
export async function* untilLeft(queue: AsyncQueue<Change>, finish: () => void): AsyncGenerator<Change> {
  try {
    yield* queue;
  } finally {
    finish();
  }
}
