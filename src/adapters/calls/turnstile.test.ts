import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { deferred } from './fixtures/deferred.ts';
import { Turnstile } from './turnstile.ts';

/** Work that begins when it is let in, and ends when it is told to. */
function work(turnstile: Turnstile, begun: string[], name: string, alone = false, signal?: AbortSignal) {
  const { promise, resolve } = deferred<void>();
  const passed = turnstile.pass(alone, signal, async () => {
    begun.push(name);
    await promise;
    return name;
  });
  return { passed, end: resolve };
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('a turnstile', () => {
  it('lets calls in side by side, and a sequential one when all before it are out', async () => {
    const turnstile = new Turnstile();
    const begun: string[] = [];
    const first = work(turnstile, begun, 'first');
    const second = work(turnstile, begun, 'second');
    const alone = work(turnstile, begun, 'alone', true);
    const last = work(turnstile, begun, 'last');
    await settle();
    expect(begun).toEqual(['first', 'second']);
    first.end();
    await first.passed;
    await settle();
    expect(begun).toEqual(['first', 'second']);
    second.end();
    await second.passed;
    await settle();
    expect(begun).toEqual(['first', 'second', 'alone']);
    alone.end();
    await alone.passed;
    await settle();
    expect(begun).toEqual(['first', 'second', 'alone', 'last']);
    last.end();
    expect(await last.passed).toBe('last');
  });

  it('is open again after a call that failed', async () => {
    const turnstile = new Turnstile();
    await expect(turnstile.pass(true, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
    expect(await turnstile.pass(true, undefined, () => Promise.resolve('in'))).toBe('in');
  });

  it('rejects one that waits as soon as its signal aborts, and does not keep its place', async () => {
    const turnstile = new Turnstile();
    const begun: string[] = [];
    const first = work(turnstile, begun, 'first');
    const controller = new AbortController();
    const waiting = work(turnstile, begun, 'waiting', true, controller.signal);
    const last = work(turnstile, begun, 'last');
    await settle();
    expect(begun).toEqual(['first']);
    controller.abort(new Error('enough'));
    await expect(waiting.passed).rejects.toThrow('enough');
    await settle();
    expect(begun).toEqual(['first', 'last']);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    first.end();
    last.end();
    await Promise.all([first.passed, last.passed]);
    expect(await turnstile.pass(true, undefined, () => Promise.resolve('in'))).toBe('in');
  });

  it('lets nobody in whose signal has aborted already, or aborts at the moment of being let in', async () => {
    const turnstile = new Turnstile();
    const aborted = AbortSignal.abort(new Error('gone'));
    await expect(turnstile.pass(false, aborted, () => Promise.resolve(1))).rejects.toThrow('gone');
    const controller = new AbortController();
    const entering = turnstile.pass(true, controller.signal, () => Promise.resolve(1));
    controller.abort(new Error('late'));
    await expect(entering).rejects.toThrow('late');
    expect(await turnstile.pass(true, undefined, () => Promise.resolve('in'))).toBe('in');
  });
});
