import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

describe('places for requests', () => {
  it('are given up to the limit, then in the order of asking', async () => {
    const slots = new Slots(2);
    const order: string[] = [];
    const first = await slots.take(undefined);
    const second = await slots.take(undefined);
    const waiting = ['a', 'b', 'c'].map(async name => {
      const release = await slots.take(undefined);
      order.push(name);
      return release;
    });
    expect(order).toEqual([]);
    first();
    (await waiting[0])?.();
    (await waiting[1])?.();
    await waiting[2];
    expect(order).toEqual(['a', 'b', 'c']);
    second();
  });

  it('are not asked for by a signal that has aborted', async () => {
    const slots = new Slots(1);
    await expect(slots.take(AbortSignal.abort('no'))).rejects.toBe('no');
    const release = await slots.take(undefined);
    release();
  });

  it('are no longer waited for once the signal aborts, and pass to the next', async () => {
    const slots = new Slots(1);
    const controller = new AbortController();
    const release = await slots.take(undefined);
    const leaves = slots.take(controller.signal);
    const stays = slots.take(undefined);
    controller.abort('left');
    await expect(leaves).rejects.toBe('left');
    release();
    (await stays)();
    (await slots.take(undefined))();
  });

  it('are released once, however often it is done', async () => {
    const slots = new Slots(1);
    const release = await slots.take(undefined);
    release();
    release();
    const next = await slots.take(undefined);
    let given = false;
    const waiting = slots.take(undefined).then(() => {
      given = true;
    });
    await new Promise(setImmediate);
    expect(given).toBe(false);
    next();
    await waiting;
  });

  it('leave no listener on a signal, whether it was waited with or not', async () => {
    const slots = new Slots(1);
    const { signal } = new AbortController();
    const release = await slots.take(signal);
    const waiting = Array.from({ length: 100 }, () => slots.take(signal));
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
    release();
    for (const taken of waiting) (await taken)();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
