/** Iterates a source until a signal aborts, whether or not the source listens to it. */
import { raceAbort } from '../../basics/abort.ts';

/**
 * Gives the parts of `source` in order. When `signal` aborts it throws the signal's reason at once and tells the source
 * to stop without waiting for it: one that never answers cannot hold its caller.
 */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  signal.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      const next = await raceAbort(iterator.next(), signal);
      if (next.done === true) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!ended) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
