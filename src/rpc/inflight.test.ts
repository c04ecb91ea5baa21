import { describe, expect, it, vi } from 'vitest';
import { isTimeoutError } from '../basics/timeout-error.ts';
import { ConnectionError } from './connection-error.ts';
import { setup, stateOf } from './fixtures/inflight.ts';
import { isProtocolError } from './protocol-error.ts';

const lost = new ConnectionError('the pipe broke', {
  phase: 'read',
  reason: 'exited',
  outcome: 'unknown',
  exit: { code: 3, signal: null },
  stderrTail: 'last words',
});

describe('answers', () => {
  it('go to exactly the request with their id, in whatever order they come', async () => {
    const { inflight, start } = setup();
    const calls = [start(1), start('1'), start(0), start('')];
    expect(inflight.settle('', { result: 'empty' })).toBe(true);
    expect(inflight.settle('1', { result: 'text' })).toBe(true);
    expect(inflight.settle(0, { result: 'zero' })).toBe(true);
    expect(inflight.settle(1, { result: 'number' })).toBe(true);
    expect(await Promise.all(calls)).toEqual(['number', 'text', 'zero', 'empty']);
    expect(inflight.size).toBe(0);
  });

  it('with a number turned into its string still reach the request', async () => {
    const { inflight, start } = setup();
    const call = start(12);
    expect(inflight.settle('12', { result: 'found' })).toBe(true);
    expect(await call).toBe('found');
  });

  it.each(['01', '1.0', ' 1', '+1', '1e0', '', '-1', '99999999999999999999'])(
    'with the id %j do not pass for the request 1',
    async id => {
      const { inflight, start } = setup();
      const call = start(1);
      expect(inflight.settle(id, { result: 'wrong' })).toBe(false);
      expect(await stateOf(call)).toBe('open');
    },
  );

  it('with a number do not pass for a request whose id is a string', () => {
    const { inflight, start } = setup();
    void start('1');
    expect(inflight.settle(1, { result: 'wrong' })).toBe(false);
  });

  it('that come late or twice count for nothing', async () => {
    const { inflight, start } = setup();
    const call = start(1);
    expect(inflight.settle(1, { result: 'first' })).toBe(true);
    expect(inflight.settle(1, { result: 'second' })).toBe(false);
    expect(inflight.settle(2, { result: 'never asked' })).toBe(false);
    expect(await call).toBe('first');
  });

  it('that are errors reject with code, data and method', async () => {
    const { inflight, start } = setup();
    const call = start(1, { method: 'tools/call' });
    inflight.settle(1, { error: { code: -32602, message: 'bad', data: { at: 3 } } });
    const error = await stateOf(call);
    expect(isProtocolError(error)).toBe(true);
    expect(error).toMatchObject({ code: -32602, reason: 'bad', data: { at: 3 }, method: 'tools/call' });
  });
});

describe('limits', () => {
  it('end a request that shows no life, tell the peer once, and say which limit it was', async () => {
    const { clock, inflight, givenUp, start } = setup();
    const call = start(1);
    clock.advance(99);
    expect(await stateOf(call)).toBe('open');
    clock.advance(1);
    const error = await stateOf(call);
    expect(isTimeoutError(error)).toBe(true);
    expect(error).toMatchObject({ limit: 'idle', ms: 100, phase: 'm' });
    expect(givenUp).toEqual([1]);
    expect(inflight.settle(1, { result: 'late' })).toBe(false);
  });

  it('let progress put off the idle limit and never the total one', async () => {
    const { clock, inflight, givenUp, start } = setup();
    const seen: number[] = [];
    const call = start(1, { onProgress: ({ progress }) => seen.push(progress) });
    for (let step = 1; step <= 12; step += 1) {
      clock.advance(80);
      expect(await stateOf(call)).toBe('open');
      expect(inflight.progress(1, { progress: step })).toBe(true);
    }
    clock.advance(39);
    expect(await stateOf(call)).toBe('open');
    clock.advance(1);
    expect(await stateOf(call)).toMatchObject({ limit: 'total', ms: 1000 });
    expect(seen).toHaveLength(12);
    expect(givenUp).toEqual([1]);
    expect(inflight.progress(1, { progress: 13 })).toBe(false);
  });

  it('take progress for a token that came back as a string', () => {
    const { clock, inflight, start } = setup();
    void start(1);
    clock.advance(90);
    expect(inflight.progress('1', { progress: 1 })).toBe(true);
    clock.advance(90);
    expect(inflight.has(1)).toBe(true);
  });

  it('keep requests with different limits apart with one timer', async () => {
    const { clock, start } = setup();
    const slow = start(1, { limits: { idle: 300, total: 300 } });
    const quick = start(2, { limits: { idle: 50, total: 300 } });
    const unlimited = { idle: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY };
    const patient = start(3, { limits: unlimited });
    expect(clock.pending).toBe(1);
    clock.advance(50);
    expect(await stateOf(quick)).toMatchObject({ limit: 'idle', ms: 50 });
    expect(await stateOf(slow)).toBe('open');
    clock.advance(250);
    expect(await stateOf(slow)).toMatchObject({ limit: 'total', ms: 300 });
    clock.advance(1_000_000_000);
    expect(await stateOf(patient)).toBe('open');
  });

  it('rest for idleness while something is held, and begin anew when the last hold goes', async () => {
    const { clock, inflight, start } = setup();
    const call = start(1);
    const first = inflight.hold();
    const second = inflight.hold();
    clock.advance(500);
    first();
    first();
    clock.advance(200);
    expect(await stateOf(call)).toBe('open');
    second();
    clock.advance(99);
    expect(await stateOf(call)).toBe('open');
    clock.advance(1);
    expect(await stateOf(call)).toMatchObject({ limit: 'idle' });
  });

  it('in all go on while something is held', async () => {
    const { clock, inflight, start } = setup();
    const call = start(1);
    inflight.hold();
    clock.advance(1000);
    expect(await stateOf(call)).toMatchObject({ limit: 'total' });
  });

  it('leave no timer once everything has failed with the connection', () => {
    const { clock, inflight, start } = setup();
    const calls = [start(1), start(2)];
    for (const call of calls) call.catch(() => {});
    const release = inflight.hold();
    inflight.failAll(lost);
    expect(clock.pending).toBe(0);
    release();
    expect(clock.pending).toBe(0);
  });

  it('leave one timer at most after a thousand answered requests, and none when it fired', async () => {
    const { clock, inflight, start } = setup();
    for (let id = 0; id < 1000; id += 1) {
      const call = start(id);
      inflight.settle(id, { result: id });
      await call;
    }
    expect(clock.pending).toBe(1);
    clock.advance(100);
    expect(clock.pending).toBe(0);
  });
});

describe('a lost connection', () => {
  it('fails every request with its own method and an unknown outcome, and tells nobody', async () => {
    const { inflight, givenUp, start } = setup();
    const calls = [start(1, { method: 'tools/call' }), start(2, { method: 'tools/list' })];
    inflight.failAll(lost);
    const [first, second] = await Promise.all(calls.map(stateOf));
    const facts = { reason: 'exited', outcome: 'unknown', exit: { code: 3 }, stderrTail: 'last words' };
    expect(first).toMatchObject({ ...facts, phase: 'tools/call', cause: lost });
    expect(second).toMatchObject({ ...facts, phase: 'tools/list', cause: lost });
    expect(givenUp).toEqual([]);
    expect(inflight.size).toBe(0);
  });

  it('fails one request alone when only its own stream ended', async () => {
    const { inflight, start } = setup();
    const [first, second] = [start(1), start(2)];
    expect(inflight.fail(1, lost)).toBe(true);
    expect(inflight.fail(1, lost)).toBe(false);
    expect(await stateOf(first)).toBe(lost);
    expect(await stateOf(second)).toBe('open');
  });
});

describe('the only request', () => {
  it('is known when there is exactly one', () => {
    const { inflight, start } = setup();
    expect(inflight.only).toBe(undefined);
    void start(0);
    expect(inflight.only).toBe(0);
    void start(1);
    expect(inflight.only).toBe(undefined);
  });
});

it('calls onProgress synchronously, so that reports keep their order', () => {
  const { inflight, start } = setup();
  const onProgress = vi.fn();
  void start(1, { onProgress });
  inflight.progress(1, { progress: 1, total: 3, message: 'one' });
  expect(onProgress).toHaveBeenCalledExactlyOnceWith({ progress: 1, total: 3, message: 'one' });
});
