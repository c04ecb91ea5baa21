import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../test/fixtures/eras/talk.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { serveEras } from './for-servers.ts';

guardRejections();

/** Both eras by the same words: how a call is made in each. */
const eras = [
  ['handshake', (params: Record<string, unknown>) => params],
  [
    'stateless',
    ({ _meta, ...params }: Record<string, unknown>) => enveloped(params, { ...(_meta as object) }),
  ],
] as const;

async function serve(era: string, handlers: Handlers) {
  const router = testRouter(handlers);
  const talk = new Talk(serveEras(router));
  if (era === 'handshake') await talk.initialize('2025-11-25');
  talk.got.splice(0);
  return { router, talk };
}

const done: Outcome = { value: { content: [] } };

describe.each(eras)('progress in the %s era', (era, wrap) => {
  const reporting = (...steps: number[]): Handlers => ({
    'tools/call': call => {
      for (const step of steps) call.progress(step, { total: 9, message: `step ${step}` });
      return done;
    },
  });

  it.each(['t1', '', 0, 17])('goes to the token %j of the call', async progressToken => {
    const { talk } = await serve(era, reporting(1, 2));
    await talk.ask('tools/call', wrap({ _meta: { progressToken } }));
    expect(talk.notifications.map(({ method, params }) => [method, params])).toEqual([
      ['notifications/progress', { progressToken, progress: 1, total: 9, message: 'step 1' }],
      ['notifications/progress', { progressToken, progress: 2, total: 9, message: 'step 2' }],
    ]);
  });

  it.each([undefined, null, true, {}, ['t']])('is not sent for the token %j', async progressToken => {
    const { talk } = await serve(era, reporting(1));
    const _meta = progressToken === undefined ? {} : { progressToken };
    await talk.ask('tools/call', wrap({ _meta }));
    expect(talk.notifications).toEqual([]);
  });

  it('has to grow: what does not is dropped, and so is what is no number for JSON', async () => {
    const { talk } = await serve(
      era,
      reporting(-1, 0.5, 0.5, 0.2, Number.NaN, Number.POSITIVE_INFINITY, 0.6, 0.6),
    );
    await talk.ask('tools/call', wrap({ _meta: { progressToken: 't' } }));
    expect(talk.notifications.map(({ params }) => params?.progress)).toEqual([-1, 0.5, 0.6]);
  });
});

describe.each(eras)('cancelling in the %s era', (era, wrap) => {
  it('aborts the signal of that call alone and sends nothing more for it', async () => {
    const calls: Call[] = [];
    const { talk } = await serve(era, {
      'tools/call': call =>
        new Promise((resolve, reject) => {
          calls.push(call);
          call.signal.addEventListener('abort', () => {
            call.progress(5);
            call.log('error', 'cancelled');
            if (calls[0] === call) resolve(done);
            else reject(call.signal.reason as Error);
          });
        }),
    });
    const params = wrap({ _meta: { progressToken: 't' } });
    for (const id of [1, 2, 3]) talk.say({ jsonrpc: '2.0', id, method: 'tools/call', params });
    talk.notify('notifications/cancelled', { requestId: 1, reason: 'no' });
    talk.notify('notifications/cancelled', { requestId: 2 });
    talk.notify('notifications/cancelled', { requestId: 2 });
    talk.notify('notifications/cancelled', { requestId: '3' });
    await turn();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(calls[0]?.signal.reason).toMatchObject({ name: 'AbortError' });
    expect([talk.got, talk.inlet.running]).toEqual([[], 1]);
  });

  it('reaches a handler that looks at its signal only afterwards', async () => {
    let look: (() => void) | undefined;
    const seen: unknown[] = [];
    const { talk } = await serve(era, {
      'tools/call': call =>
        new Promise(resolve => {
          look = () => {
            seen.push(call.signal.aborted, call.signal.reason);
            resolve(done);
          };
        }),
    });
    talk.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: wrap({}) });
    talk.notify('notifications/cancelled', { requestId: 1 });
    look?.();
    await turn();
    expect(seen).toEqual([true, expect.objectContaining({ name: 'AbortError' })]);
    expect(talk.got).toEqual([]);
  });

  it('in the tick of the answer settles once, a thousand times', async () => {
    const finishes = new Map<unknown, () => void>();
    const { router, talk } = await serve(era, {
      'tools/call': call => new Promise(resolve => finishes.set(call.params['nr'], () => resolve(done))),
    });
    for (let id = 1; id <= 1000; id += 1) {
      talk.say({ jsonrpc: '2.0', id, method: 'tools/call', params: wrap({ nr: id }) });
      if (id % 2) finishes.get(id)?.();
      talk.notify('notifications/cancelled', { requestId: id });
      if (!(id % 2)) finishes.get(id)?.();
    }
    await turn();
    expect([talk.got, talk.inlet.running, router.reports]).toEqual([[], 0, []]);
    expect((await talk.ask('nope', wrap({}))).error?.code).toBe(-32601);
  });

  it('frees the id at once, and the first call cannot answer for the second', async () => {
    const finishes: ((outcome: Outcome) => void)[] = [];
    const { talk } = await serve(era, {
      'tools/call': () => new Promise(resolve => finishes.push(resolve)),
    });
    const params = wrap({});
    talk.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    talk.notify('notifications/cancelled', { requestId: 1 });
    const second = talk.ask('tools/call', params, 1);
    finishes[0]?.({ value: { content: ['first'] } });
    await turn();
    expect([talk.got, talk.inlet.running]).toEqual([[], 1]);
    finishes[1]?.({ value: { content: ['second'] } });
    expect((await second).result?.content).toEqual(['second']);
    expect(talk.inlet.running).toBe(0);
  });

  it('after the answer is ignored', async () => {
    const { talk } = await serve(era, { 'tools/call': () => done });
    await talk.ask('tools/call', wrap({}), 1);
    talk.notify('notifications/cancelled', { requestId: 1 });
    expect(talk.got).toHaveLength(1);
  });
});

it('keeps a ping from waiting behind running calls', async () => {
  const { talk } = await serve('handshake', { 'tools/call': () => new Promise(() => {}) });
  for (let id = 1; id <= 300; id += 1) talk.say({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
  expect((await talk.ask('ping')).result).toEqual({});
  expect(talk.inlet.running).toBe(300);
});
