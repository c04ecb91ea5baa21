import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../test/fixtures/eras/talk.ts';
import type { Exchange } from '../channels/channel.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { serveEras } from './for-servers.ts';

guardRejections();

const mebibyte = 1024 * 1024;
const done: Outcome = { value: { content: [] } };

async function serve(more: Handlers = {}) {
  const started: number[] = [];
  const finishes = new Map<number, () => void>();
  const calls = new Map<number, Call>();
  const router = testRouter({
    'tools/list': () => ({ value: { tools: [] } }),
    'tools/call': call =>
      new Promise<Outcome>(resolve => {
        const nr = Number(call.params['nr']);
        started.push(nr);
        calls.set(nr, call);
        finishes.set(nr, () => resolve(done));
      }),
    ...more,
  });
  const talk = new Talk(serveEras(router));
  await talk.initialize('2025-11-25');
  talk.got.splice(0);
  const call = (nr: number, bytes?: number): void =>
    talk.say({ jsonrpc: '2.0', id: nr, method: 'tools/call', params: { nr } }, bytes);
  const cancel = (nr: number): void => talk.notify('notifications/cancelled', { requestId: nr });
  const finish = async (nr: number): Promise<void> => {
    finishes.get(nr)?.();
    await turn();
  };
  return { router, talk, started, calls, call, cancel, finish };
}

/** A connection that says how much is not read yet; `read` says how much is left. */
class Outlet implements Exchange {
  backlog = 0;
  readonly #exchange: Exchange;
  #waiting: [number, () => void][] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  send(message: Parameters<Exchange['send']>[0]): void {
    this.#exchange.send(message);
  }

  onTaken(most: number, taken: () => void): void {
    this.#waiting.push([most, taken]);
  }

  read(left: number): void {
    this.backlog = left;
    for (const [most, taken] of this.#waiting.splice(0)) {
      if (left > most) this.#waiting.push([most, taken]);
      else taken();
    }
  }
}

const upTo = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => from + at);

describe('the calls of one client', () => {
  it('run 256 at once; the rest wait and start in order as others end', async () => {
    const { talk, started, call, finish } = await serve();
    for (const nr of upTo(300)) call(nr);
    expect(started).toEqual(upTo(256));
    expect(talk.inlet.running).toBe(300);
    for (const nr of [200, 3, 77]) await finish(nr);
    expect(started.slice(256)).toEqual([257, 258, 259]);
    for (const nr of upTo(300)) await finish(nr);
    expect(talk.singles.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(upTo(300));
    expect(talk.inlet.running).toBe(0);
  });

  it('wait while the client does not read, and go on in order when it does', async () => {
    const { talk, started, call, finish } = await serve();
    const outlet = new Outlet(talk.exchange);
    talk.exchange = outlet;
    call(1);
    outlet.backlog = 64 * mebibyte + 1;
    for (const nr of [2, 3]) call(nr);
    await finish(1);
    expect(started).toEqual([1]);
    expect((await talk.ask('ping')).result).toEqual({});
    outlet.read(64 * mebibyte);
    expect(started).toEqual([1, 2, 3]);
    call(4);
    expect(started).toEqual([1, 2, 3, 4]);
  });

  it('that answer at once do not pile up answers either', async () => {
    let ran = 0;
    const { talk, call } = await serve({
      'tools/call': () => {
        ran += 1;
        outlet.backlog += 40 * mebibyte;
        return done;
      },
    });
    const outlet = new Outlet(talk.exchange);
    talk.exchange = outlet;
    for (const nr of upTo(9)) call(nr);
    expect(ran).toBe(2);
    outlet.read(0);
    expect(ran).toBe(4);
    outlet.read(30 * mebibyte);
    expect(ran).toBe(5);
    for (let turn = 0; turn < 3; turn += 1) outlet.read(0);
    expect([ran, talk.inlet.running]).toEqual([9, 0]);
  });

  it('that wait for one who has gone are not begun, whoever else ends', async () => {
    const { talk, started, call, finish } = await serve();
    const outlet = new Outlet(talk.exchange);
    talk.exchange = outlet;
    for (const nr of [1, 2]) call(nr);
    outlet.backlog = 64 * mebibyte + 1;
    for (const nr of [3, 4]) call(nr);
    outlet.backlog = Number.POSITIVE_INFINITY;
    await finish(1);
    const closed = talk.inlet.close(new Error('the client is gone'), 0);
    await finish(2);
    await closed;
    expect([started, talk.inlet.running]).toEqual([[1, 2], 0]);
  });

  it('that find a full queue while the client does not read are told so', async () => {
    const { talk, started, call } = await serve();
    const outlet = new Outlet(talk.exchange);
    talk.exchange = outlet;
    outlet.backlog = 64 * mebibyte + 1;
    for (const nr of upTo(16_385)) call(nr);
    expect(started).toEqual([]);
    expect(talk.singles.map(({ id, error }) => [id, error?.code, error?.message])).toEqual([
      [16_385, -32603, expect.stringContaining('busy: this client does not read its answers')],
    ]);
  });

  it('do not keep answers, pings and cancellations waiting', async () => {
    const { talk, calls, call, cancel } = await serve();
    for (const nr of upTo(300)) call(nr);
    const asked = talk.next(({ method }) => method === 'roots/list');
    const answer = calls.get(1)?.ask('r', { kind: 'roots' });
    talk.say({ jsonrpc: '2.0', id: (await asked).id, result: { roots: [] } });
    expect(await answer).toEqual({ roots: [] });
    expect((await talk.ask('ping')).result).toEqual({});
    cancel(5);
    expect(calls.get(5)?.signal.aborted).toBe(true);
  });

  it('that were cancelled while they waited are never started', async () => {
    const { router, talk, started, call, cancel, finish } = await serve();
    for (const nr of upTo(258)) call(nr);
    cancel(257);
    await finish(1);
    expect(started.at(-1)).toBe(258);
    expect(router.calls).toHaveLength(257);
    expect(talk.singles.map(({ id }) => id)).toEqual([1]);
  });

  it('beyond 16,384 waiting are refused as busy, and the others are unharmed', async () => {
    const { talk, started, call, finish } = await serve();
    for (const nr of upTo(256 + 16_384)) call(nr);
    expect(talk.got).toEqual([]);
    call(99_999);
    expect(talk.singles[0]).toMatchObject({ id: 99_999, error: { code: -32603 } });
    expect(talk.singles[0]?.error?.message).toContain('busy');
    await finish(1);
    expect(started.at(-1)).toBe(257);
    call(99_999);
    expect(talk.got).toHaveLength(2);
  });

  it('that were cancelled make room among those that wait', async () => {
    const { talk, call, cancel } = await serve();
    for (const nr of upTo(256)) call(nr);
    for (let round = 0; round < 3; round += 1) {
      for (const nr of upTo(16_384, 1000)) call(nr, 4096);
      for (const nr of upTo(16_384, 1000)) cancel(nr);
    }
    expect(talk.got).toEqual([]);
    expect(talk.inlet.running).toBe(256);
  });

  it('may wait with 64 MiB in all; beyond, they are refused until there is room', async () => {
    const { talk, call, cancel, finish } = await serve();
    for (const nr of upTo(256)) call(nr, mebibyte);
    call(1001, 40 * mebibyte);
    call(1002, 24 * mebibyte);
    expect(talk.got).toEqual([]);
    call(1003, 1);
    expect(talk.singles[0]).toMatchObject({ id: 1003, error: { code: -32603 } });
    cancel(1002);
    call(1004, 24 * mebibyte);
    await finish(1);
    call(1005, 40 * mebibyte);
    expect(talk.singles.map(({ id }) => id)).toEqual([1003, 1]);
  });

  it('that answer at once can wait by the thousand: the stack does not grow with them', async () => {
    const { talk, call, finish } = await serve();
    for (const nr of upTo(256)) call(nr);
    for (const nr of upTo(16_000, 1000)) talk.say({ jsonrpc: '2.0', id: nr, method: 'tools/list' });
    await finish(1);
    expect(talk.got).toHaveLength(16_001);
    expect(talk.inlet.running).toBe(255);
  });

  it('that throw at once give their place to the next', async () => {
    const { talk, call, finish, started } = await serve();
    for (const nr of upTo(256)) call(nr);
    for (const nr of upTo(1000, 1000)) talk.say({ jsonrpc: '2.0', id: nr, method: 'nope' });
    call(257);
    await finish(1);
    expect(started.at(-1)).toBe(257);
    expect(talk.inlet.running).toBe(256);
  });
});

it('calls that ended their round with a question hold no place, though their handler never ends', async () => {
  const { talk } = await serve({
    'tools/call': call => {
      void call.ask('key', { kind: 'roots' });
      return new Promise(() => {});
    },
  });
  const params = enveloped({ name: 'x' });
  for (const nr of upTo(1000)) {
    const { result } = await talk.ask('tools/call', params, nr);
    expect(result?.resultType).toBe('input_required');
  }
  expect(talk.inlet.running).toBe(0);
  expect((await talk.ask('tools/list', enveloped())).result?.tools).toEqual([]);
});
