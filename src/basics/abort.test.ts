import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { linkAbort, onAbort, raceAbort } from './abort.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('waiting for an abort', () => {
  it('puts one listener on a signal that 5,000 wait for, and none when nobody does', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called = vi.fn();
    const stops = Array.from({ length: 5000 }, () => onAbort(signal, called));
    expect(listeners(signal)).toBe(1);
    for (const stop of stops.slice(0, 4000)) stop();
    expect(listeners(signal)).toBe(1);
    controller.abort();
    expect(called).toHaveBeenCalledTimes(1000);
    expect(listeners(signal)).toBe(0);
    for (const stop of stops) stop();

    const other = new AbortController();
    const others = [onAbort(other.signal, called), onAbort(other.signal, called)];
    for (const stop of [...others, ...others]) stop();
    expect(listeners(other.signal)).toBe(0);
  });

  it('keeps on waiting for one when another that was given the same callback stops', () => {
    const controller = new AbortController();
    const called = vi.fn();
    const stop = onAbort(controller.signal, called);
    onAbort(controller.signal, called);
    stop();
    stop();
    controller.abort();
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('calls at once when the signal has aborted already', () => {
    const called = vi.fn();
    onAbort(AbortSignal.abort(), called)();
    expect(called).toHaveBeenCalledTimes(1);
  });

  it('does not call one that stops waiting while others are called', () => {
    const controller = new AbortController();
    const called = vi.fn();
    onAbort(controller.signal, () => stop());
    const stop = onAbort(controller.signal, called);
    controller.abort();
    expect(called).not.toHaveBeenCalled();
  });
});

describe('linking signals to a controller', () => {
  it('aborts with the reason of whichever signal is first, and lets go of all', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const target = new AbortController();
    linkAbort([one.signal, undefined, two.signal], target);
    two.abort('two');
    one.abort('one');
    expect(target.signal.reason).toBe('two');
    expect(listeners(one.signal) + listeners(two.signal)).toBe(0);
  });

  it('aborts at once for a signal that has aborted, without listening to the others', () => {
    const one = new AbortController();
    const target = new AbortController();
    const last = new AbortController();
    linkAbort([one.signal, AbortSignal.abort('gone'), last.signal], target);
    expect(target.signal.reason).toBe('gone');
    expect(listeners(one.signal) + listeners(last.signal)).toBe(0);
  });

  it('leaves nothing behind when it is cut', () => {
    const one = new AbortController();
    const target = new AbortController();
    linkAbort([one.signal], target)();
    expect(listeners(one.signal)).toBe(0);
    one.abort();
    expect(target.signal.aborted).toBe(false);
  });
});

describe('racing a promise against a signal', () => {
  it('gives the outcome of the promise and stops listening', async () => {
    const { signal } = new AbortController();
    expect(await raceAbort(Promise.resolve(1), signal)).toBe(1);
    await expect(raceAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    expect(await raceAbort(Promise.resolve(2), undefined)).toBe(2);
    expect(listeners(signal)).toBe(0);
  });

  it('rejects with the reason at once, and drops a rejection that comes later', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const controller = new AbortController();
    let fail = (_: Error): void => {};
    const raced = raceAbort(
      new Promise((_, reject) => {
        fail = reject;
      }),
      controller.signal,
    );
    controller.abort(new Error('left'));
    await expect(raced).rejects.toThrow('left');
    fail(new Error('late'));
    await expect(raceAbort(Promise.reject(new Error('also late')), AbortSignal.abort('x'))).rejects.toBe('x');
    await new Promise(resolve => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(listeners(controller.signal)).toBe(0);
  });
});
