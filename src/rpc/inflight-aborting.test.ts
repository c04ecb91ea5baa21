import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { setup, stateOf } from './fixtures/inflight.ts';

describe('two signals of a request', () => {
  it.each(['signal', 'until'] as const)('end it by either, here %s, and are left alone', async first => {
    const { inflight, givenUp, start } = setup();
    const signals = { signal: new AbortController(), until: new AbortController() };
    const call = start(1, { signal: signals.signal.signal, until: signals.until.signal });
    signals[first].abort('enough');
    await expect(call).rejects.toBe('enough');
    expect(givenUp).toEqual([1]);
    expect(inflight.size).toBe(0);
    for (const { signal } of Object.values(signals)) {
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }
  });
});

describe('aborting a request', () => {
  it('rejects with the reason itself and tells the peer once', async () => {
    const { inflight, givenUp, start } = setup();
    const controller = new AbortController();
    const call = start(7, { signal: controller.signal });
    const reason = { why: 'enough' };
    controller.abort(reason);
    expect(await stateOf(call)).toBe(reason);
    expect(givenUp).toEqual([7]);
    expect(inflight.settle(7, { result: 'late' })).toBe(false);
  });

  it('puts one listener on a signal however many calls share it, and none when they are done', async () => {
    const { inflight, givenUp, start } = setup();
    const { signal } = new AbortController();
    const calls = Array.from({ length: 5000 }, (_, id) => start(id, { signal }));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (let id = 0; id < 5000; id += 1) inflight.settle(id, { result: id });
    await Promise.all(calls);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(givenUp).toEqual([]);
  });

  it('ends all 5,000 calls of one signal', async () => {
    const { inflight, givenUp, start } = setup();
    const controller = new AbortController();
    const calls = Array.from({ length: 5000 }, (_, id) => start(id, { signal: controller.signal }));
    controller.abort('stop');
    const ends = await Promise.allSettled(calls);
    expect(ends.every(end => end.status === 'rejected' && end.reason === 'stop')).toBe(true);
    expect(givenUp).toHaveLength(5000);
    expect(inflight.size).toBe(0);
  });

  it('that meets the answer in one tick settles once, a thousand times', async () => {
    const { inflight, givenUp, start } = setup();
    for (let id = 0; id < 1000; id += 1) {
      const controller = new AbortController();
      const call = start(id, { signal: controller.signal });
      const answerFirst = id % 2 === 0;
      if (answerFirst) inflight.settle(id, { result: id });
      controller.abort('cancelled');
      if (!answerFirst) expect(inflight.settle(id, { result: id })).toBe(false);
      expect(await stateOf(call)).toBe(answerFirst ? id : 'cancelled');
    }
    expect(givenUp).toHaveLength(500);
    expect(inflight.size).toBe(0);
  });

  it('before the start sends nothing further and keeps nothing', async () => {
    const { inflight, start } = setup();
    expect(await stateOf(start(1, { signal: AbortSignal.abort('early') }))).toBe('early');
    expect(inflight.size).toBe(0);
  });
});
