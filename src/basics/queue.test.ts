import { expect, it, vi } from 'vitest';
import { AsyncQueue } from './queue.ts';

async function all<T>(queue: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

it('delivers items in order, those pushed before and those pushed while somebody waits', async () => {
  const queue = new AsyncQueue<number>();
  queue.push(1);
  queue.push(2);
  const items = all(queue);
  await Promise.resolve();
  queue.push(3);
  queue.end();
  expect(await items).toEqual([1, 2, 3]);
});

it('answers several that wait at once in the order they asked', async () => {
  const queue = new AsyncQueue<string>();
  const iterator = queue[Symbol.asyncIterator]();
  const asked = [iterator.next(), iterator.next(), iterator.next()];
  queue.push('a');
  queue.push('b');
  queue.end();
  expect(await Promise.all(asked)).toEqual([
    { done: false, value: 'a' },
    { done: false, value: 'b' },
    { done: true, value: undefined },
  ]);
});

it('throws the failure once, after the items that came before it', async () => {
  const queue = new AsyncQueue<number>();
  queue.push(1);
  queue.fail(new Error('lost'));
  const iterator = queue[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  await expect(iterator.next()).rejects.toThrow('lost');
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

it('throws the failure to the first that waits and ends for the others', async () => {
  const queue = new AsyncQueue<number>();
  const iterator = queue[Symbol.asyncIterator]();
  const first = iterator.next();
  const second = iterator.next();
  queue.fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  expect(await second).toEqual({ done: true, value: undefined });
});

it('takes nothing more after its end, and keeps to its first end', async () => {
  const queue = new AsyncQueue<number>();
  queue.end();
  queue.fail(new Error('too late'));
  expect(queue.push(1)).toBe(false);
  expect(await all(queue)).toEqual([]);
});

it('refuses what is over its limit until something was taken', async () => {
  const queue = new AsyncQueue<number>({ limit: 2 });
  expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([true, true, false]);
  const iterator = queue[Symbol.asyncIterator]();
  await iterator.next();
  expect(queue.push(4)).toBe(true);
  expect(queue.size).toBe(2);
});

it('drops everything and says so once when the consumer leaves its loop', async () => {
  const abandoned = vi.fn();
  const queue = new AsyncQueue<number>({ abandoned });
  for (const item of [1, 2, 3]) queue.push(item);
  for await (const item of queue) if (item === 1) break;
  expect(queue.size).toBe(0);
  expect(queue.push(4)).toBe(false);
  await queue[Symbol.asyncIterator]().return?.();
  expect(abandoned).toHaveBeenCalledTimes(1);
});

it('does not call it leaving when the queue had ended', async () => {
  const abandoned = vi.fn();
  const queue = new AsyncQueue<number>({ abandoned });
  queue.push(1);
  queue.end();
  for await (const _ of queue) break;
  expect(abandoned).not.toHaveBeenCalled();
});

it('ends for one that waits when the consumer returns', async () => {
  const queue = new AsyncQueue<number>();
  const iterator = queue[Symbol.asyncIterator]();
  const waiting = iterator.next();
  await iterator.return?.();
  expect(await waiting).toEqual({ done: true, value: undefined });
});

it('keeps order through a long backlog', async () => {
  const queue = new AsyncQueue<number>();
  const iterator = queue[Symbol.asyncIterator]();
  const taken: (number | undefined)[] = [];
  for (let round = 0; round < 3000; round += 1) {
    queue.push(round * 2);
    queue.push(round * 2 + 1);
    taken.push((await iterator.next()).value);
  }
  queue.end();
  expect([...taken, ...(await all(queue))]).toEqual(Array.from({ length: 6000 }, (_, at) => at));
});
