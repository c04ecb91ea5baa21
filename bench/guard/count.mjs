/** Counts bytes: what a call allocates, within the heap and outside. Needs the flags that guard.mjs starts with. */
import { GCProfiler } from 'node:v8';

const warmUp = 400;
const calls = 100;
const rounds = 6;

/**
 * The least of a few counts, for `per` calls in each `run`: what a busy machine adds is not there in all of them, what a
 * call needs is. Throws when nothing can be counted without a collection.
 */
export async function allocated(run, per = 1) {
  await many(run, warmUp / per);
  // Fewer, where so many fill the young generation.
  for (const part of [1, 2, 4]) {
    const times = Math.ceil(calls / per / part);
    const counts = [];
    while (counts.length < rounds) {
      const bytes = await count(run, times);
      if (bytes === undefined) break;
      counts.push(bytes / times / per);
    }
    if (counts.length === rounds) return Math.round(Math.min(...counts));
  }
  throw new Error(`memory was collected during ${calls / 4} calls, which must have allocated megabytes each`);
}

/** Nothing when the collector ran meanwhile, for then what is left says nothing of what was allocated. */
async function count(run, times) {
  globalThis.gc();
  const profiler = new GCProfiler();
  profiler.start();
  const before = used();
  await many(run, times);
  const bytes = used() - before;
  return profiler.stop().statistics.length === 0 ? bytes : undefined;
}

async function many(run, times) {
  for (let done = 0; done < times; done += 1) await run();
}

/** Buffers are external. */
function used() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
