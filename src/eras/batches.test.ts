import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, type Got, request, Talk } from '../../test/fixtures/eras/talk.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { serveEras } from './for-servers.ts';

guardRejections();

async function serve(revision = '2025-03-26') {
  const running = new Map<unknown, { call: Call; finish: (text: string) => void }>();
  const router = testRouter({
    'tools/list': () => ({ value: { tools: [] } }),
    'tools/call': call =>
      new Promise<Outcome>((resolve, reject) => {
        const finish = (text: string): void => resolve({ value: { content: [{ type: 'text', text }] } });
        running.set(call.params['name'], { call, finish });
        call.signal.addEventListener('abort', () => reject(call.signal.reason as Error));
      }),
  });
  const talk = new Talk(serveEras(router));
  await talk.initialize(revision, { capabilities: { roots: {} } });
  talk.got.splice(0);
  return { router, talk, running };
}

const call = (id: number | string, name: string) => request(id, 'tools/call', { name });
const ids = (batch: Got | readonly Got[] | undefined): unknown =>
  (batch as readonly Got[]).map(({ id }) => id);

describe('a batch in a session of 2025-03-26', () => {
  it('is answered with one array when the last call has ended, in whatever order', async () => {
    const { talk, running } = await serve();
    talk.say([call(1, 'slow'), request(2, 'ping'), call(3, 'quick'), request(4, 'nope')]);
    running.get('quick')?.finish('3');
    await turn();
    expect(talk.got).toEqual([]);
    running.get('slow')?.finish('1');
    await turn();
    expect(talk.got).toHaveLength(1);
    expect(ids(talk.got[0])).toEqual([2, 4, 3, 1]);
  });

  it('of ready answers is answered at once', async () => {
    const { talk } = await serve();
    talk.say([request(0, 'ping'), request('', 'tools/list')]);
    expect(talk.got).toEqual([
      [
        { jsonrpc: '2.0', id: 0, result: {} },
        { jsonrpc: '2.0', id: '', result: { tools: [] } },
      ],
    ]);
  });

  it('of one is answered with an array of one', async () => {
    const { talk } = await serve();
    talk.say([request(1, 'ping')]);
    expect(talk.got).toEqual([[{ jsonrpc: '2.0', id: 1, result: {} }]]);
  });

  it('of notifications and responses alone is not answered', async () => {
    const { talk } = await serve();
    talk.say([
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 5, result: {} },
      { method: 'broken' },
    ]);
    await turn();
    expect(talk.got).toEqual([]);
  });

  it('does not run a request that is sent without an id', async () => {
    const { router, talk } = await serve();
    talk.say([{ jsonrpc: '2.0', method: 'tools/call', params: { name: 'x' } }, request(1, 'ping')]);
    expect(ids(talk.got[0])).toEqual([1]);
    expect(router.calls).toEqual([]);
  });

  it('has initialize, envelopes, nested arrays and rubbish refused one by one', async () => {
    const { talk } = await serve();
    talk.say([
      request('i', 'initialize', { protocolVersion: '2025-11-25' }),
      request('l', 'subscriptions/listen', enveloped({ notifications: { toolsListChanged: true } })),
      [request('n', 'ping')],
      7,
      { id: 'j', method: 'ping' },
      request('ok', 'ping'),
    ]);
    expect(talk.got).toMatchObject([
      [
        { id: 'i', error: { code: -32600 } },
        { id: 'l', error: { code: -32600 } },
        { id: null, error: { code: -32600 } },
        { id: null, error: { code: -32600 } },
        { id: 'j', error: { code: -32600 } },
        { id: 'ok', result: {} },
      ],
    ]);
    expect(talk.inlet.running).toBe(0);
  });

  it('that is empty is refused with a single error', async () => {
    const { talk } = await serve();
    talk.say([]);
    expect(talk.got).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });

  it('of too many is refused with a single error, and none of it is run', async () => {
    const { router, talk } = await serve();
    talk.say(Array.from({ length: 1_001 }, (_each, id) => call(id, 'x')));
    expect(talk.got).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(router.calls).toEqual([]);
    talk.say(Array.from({ length: 1_000 }, (_each, id) => request(id, 'ping')));
    expect(talk.got[1]).toHaveLength(1_000);
  });

  it('leaves out the answer of a member that was cancelled', async () => {
    const { talk, running } = await serve();
    talk.say([call(1, 'a'), call(2, 'b')]);
    running.get('b')?.finish('2');
    await turn();
    talk.notify('notifications/cancelled', { requestId: 1 });
    await turn();
    expect(running.get('a')?.call.signal.aborted).toBe(true);
    expect(talk.got.map(ids)).toEqual([[2]]);
    expect(talk.inlet.running).toBe(0);
  });

  it('whose members were all cancelled, by a member too, is not answered', async () => {
    const { talk } = await serve();
    talk.say([
      call(1, 'a'),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      call(2, 'b'),
    ]);
    talk.notify('notifications/cancelled', { requestId: 2 });
    await turn();
    expect(talk.got).toEqual([]);
    expect(talk.inlet.running).toBe(0);
  });

  it('has a duplicate id refused with id null, and the first call is unharmed', async () => {
    const { router, talk, running } = await serve();
    talk.say([call(1, 'first'), call(1, 'second')]);
    running.get('first')?.finish('unharmed');
    await turn();
    expect(talk.got).toMatchObject([
      [
        { id: null, error: { code: -32600 } },
        { id: 1, result: {} },
      ],
    ]);
    expect(router.calls).toHaveLength(1);
  });

  it('does not wait for a call outside it that has the same id', async () => {
    const { talk, running } = await serve();
    talk.say(call(1, 'outside'));
    talk.say([call(1, 'inside'), request(2, 'ping')]);
    expect(talk.got).toMatchObject([
      [
        { id: null, error: { code: -32600 } },
        { id: 2, result: {} },
      ],
    ]);
    running.get('outside')?.finish('done');
    await turn();
    expect(talk.got[1]).toMatchObject({ id: 1, result: {} });
  });

  it('lets progress, logs and questions of its calls through before its answers', async () => {
    const { talk, running } = await serve();
    const params = { name: 'a', _meta: { progressToken: 't' } };
    talk.say([request(1, 'tools/call', params)]);
    const member = running.get('a');
    member?.call.progress(1);
    member?.call.log('warning', 'careful');
    const roots = member?.call.ask('roots', { kind: 'roots' });
    const asked = talk.singles.find(({ method }) => method === 'roots/list');
    talk.say([{ jsonrpc: '2.0', id: asked?.id, result: { roots: [] } }]);
    expect(await roots).toEqual({ roots: [] });
    member?.finish('done');
    await turn();
    expect(talk.got.map(message => (Array.isArray(message) ? 'batch' : (message as Got).method))).toEqual([
      'notifications/progress',
      'notifications/message',
      'roots/list',
      'batch',
    ]);
  });

  it('keeps two batches apart', async () => {
    const { talk, running } = await serve();
    talk.say([call(1, 'a'), call(2, 'b')]);
    talk.say([call(3, 'c'), call(4, 'd')]);
    for (const name of ['d', 'b', 'c', 'a']) {
      running.get(name)?.finish(name);
      await turn();
    }
    expect(talk.got.map(ids)).toEqual([
      [4, 3],
      [2, 1],
    ]);
  });
});

it.each(['2024-11-05', '2025-06-18', '2025-11-25'])(
  'a batch in a session of %s is refused whole, and nothing in it runs',
  async revision => {
    const { router, talk } = await serve(revision);
    talk.say([call(1, 'a'), request(2, 'ping')]);
    expect(talk.got).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(router.calls).toEqual([]);
  },
);
