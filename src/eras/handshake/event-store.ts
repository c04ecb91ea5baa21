/** Events of reply streams kept in memory, within bounds: the oldest streams are forgotten first. */
import { checkNumber } from '../../basics/option-checks.ts';
import type { EventStore, EventsKept } from '../../channels/channel.ts';

export interface MemoryEventsOptions {
  /** The most events of all streams together; 10,000 by default. */
  readonly maxEvents?: number | undefined;
  /** The most characters that they have as JSON; 32 Mi by default. */
  readonly maxSize?: number | undefined;
}

interface Kept {
  readonly number: number;
  readonly message: object;
  readonly size: number;
}

/** Keeps events of this process, for one node. Throws a TypeError when a bound is no number above 0. */
export function memoryEvents(options: MemoryEventsOptions = {}): EventStore {
  const { maxEvents = 10_000, maxSize = 32 * 1024 * 1024 } = options;
  checkNumber('memoryEvents', 'maxEvents', maxEvents, { integer: true, min: 1 });
  checkNumber('memoryEvents', 'maxSize', maxSize, { min: 1 });
  /** Streams in the order of their last event. */
  const streams = new Map<string, Kept[]>();
  let events = 0;
  let size = 0;

  function forgetOldest(): void {
    for (const [name, kept] of streams) {
      const oldest = kept.shift();
      if (kept.length === 0) streams.delete(name);
      if (oldest === undefined) continue;
      events -= 1;
      size -= oldest.size;
      return;
    }
  }

  return {
    append(stream, number, message) {
      const kept = streams.get(stream) ?? [];
      const entry = { number, message, size: JSON.stringify(message)?.length ?? 0 };
      kept.push(entry);
      streams.delete(stream);
      streams.set(stream, kept);
      events += 1;
      size += entry.size;
      while (events > maxEvents || size > maxSize) forgetOldest();
    },
    after(stream, number): EventsKept | undefined {
      const kept = streams.get(stream);
      const [oldest] = kept ?? [];
      if (!kept || !oldest || oldest.number > number + 1) return undefined;
      return kept.filter(entry => entry.number > number);
    },
  };
}
