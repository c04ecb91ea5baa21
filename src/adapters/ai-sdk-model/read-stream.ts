/** The parts of a stream, each within a limit of time; the stream is given free however reading ends. */
import { runWithin, type TimeLimit } from '../../basics/time-limit.ts';

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<void>;
}

/** Throws a TypeError for what is no ReadableStream. */
export async function* readStream(stream: unknown, limit: TimeLimit): AsyncGenerator<unknown> {
  const { getReader } = (stream ?? {}) as { readonly getReader?: unknown };
  if (typeof getReader !== 'function') throw new TypeError('doStream gave no stream');
  const reader = (stream as { getReader(): Reader }).getReader();
  try {
    for (;;) {
      const { done, value } = await runWithin(limit, () => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever reads no further must not be waited for; one that fails to stop has nobody to tell.
    void reader.cancel().catch(() => undefined);
  }
}
