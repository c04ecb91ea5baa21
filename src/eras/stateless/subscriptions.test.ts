import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../../test/fixtures/eras/talk.ts';
import type { Id } from '../../rpc/message.ts';
import { serveEras } from '../for-servers.ts';

guardRejections();

const tag = 'io.modelcontextprotocol/subscriptionId';
const everything = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

function serve(capabilities: Readonly<Record<string, unknown>> = everything) {
  const router = testRouter({}, { info: { name: 'plain', version: '1' }, capabilities });
  const talk = new Talk(serveEras(router));
  const listen = (id: Id, notifications?: unknown): void =>
    talk.say({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: enveloped(notifications === undefined ? {} : { notifications }),
    });
  const changeAll = (): void => {
    for (const kind of ['tools', 'prompts', 'resources'] as const) router.change({ kind });
    for (const uri of ['file:///a', 'file:///b']) router.change({ kind: 'resource', uri });
  };
  return { router, talk, listen, changeAll };
}

const all = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['file:///a'],
};

describe('a subscription', () => {
  it.each(['s', 7, 0, ''])('with the id %j is acknowledged first, with what will be told', id => {
    const { talk, listen } = serve();
    listen(id, all);
    expect(talk.got).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: all, _meta: { [tag]: id } },
      },
    ]);
    expect(talk.inlet.running).toBe(1);
  });

  it('tells only what was asked for, tagged', () => {
    const { talk, listen, changeAll } = serve();
    listen(1, { toolsListChanged: true, resourceSubscriptions: ['file:///a'] });
    listen('2', { promptsListChanged: true });
    talk.got.splice(0);
    changeAll();
    expect(talk.got).toEqual([
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: { _meta: { [tag]: 1 } } },
      { jsonrpc: '2.0', method: 'notifications/prompts/list_changed', params: { _meta: { [tag]: '2' } } },
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'file:///a', _meta: { [tag]: 1 } },
      },
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['an empty filter', {}],
    ['a filter that is a list', ['toolsListChanged']],
    ['odd members', { toolsListChanged: 'yes', resourceSubscriptions: 'file:///a' }],
    ['null', null],
  ])('for %s is acknowledged empty, and tells nothing', (_name, notifications) => {
    const { talk, listen, changeAll } = serve();
    listen(1, notifications);
    expect(talk.singles[0]?.params?.notifications).toEqual({});
    changeAll();
    expect(talk.got).toHaveLength(1);
  });

  it('is cut down to what the server offers, and to URIs that are texts', () => {
    const { talk, listen, changeAll } = serve({ tools: { listChanged: true }, resources: {} });
    listen(1, all);
    expect(talk.singles[0]?.params?.notifications).toEqual({ toolsListChanged: true });
    changeAll();
    expect(talk.got).toHaveLength(2);
    const other = serve();
    other.listen(1, { resourceSubscriptions: ['file:///a', 7, null] });
    expect(other.talk.singles[0]?.params?.notifications).toEqual({ resourceSubscriptions: ['file:///a'] });
  });

  it('ends when it is cancelled: no answer, no further change, no listener', async () => {
    const { router, talk, listen, changeAll } = serve();
    listen(1, all);
    listen(2, all);
    talk.got.splice(0);
    talk.notify('notifications/cancelled', { requestId: 1 });
    expect([router.listeners, talk.inlet.running]).toEqual([1, 1]);
    changeAll();
    await turn();
    expect(talk.singles.map(({ params }) => params?._meta?.[tag])).toEqual([2, 2, 2, 2]);
  });

  it('ends with the empty result when the server closes', async () => {
    const { router, talk, listen, changeAll } = serve();
    listen(1, all);
    listen('two', all);
    talk.got.splice(0);
    await talk.inlet.close('the end', 5000);
    const result = (id: unknown) => ({
      resultType: 'complete',
      _meta: { [tag]: id, 'io.modelcontextprotocol/serverInfo': { name: 'plain', version: '1' } },
    });
    expect(talk.got).toEqual([
      { jsonrpc: '2.0', id: 1, result: result(1) },
      { jsonrpc: '2.0', id: 'two', result: result('two') },
    ]);
    changeAll();
    expect([talk.got.length, router.listeners, talk.inlet.running, talk.clock.pending]).toEqual([2, 0, 0, 0]);
  });

  it('refuses its id to others while it stands', async () => {
    const { talk, listen } = serve();
    listen(1, all);
    const refused = talk.answer(null);
    listen(1, all);
    expect((await refused).error?.message).toContain('in use');
  });

  it('ends when its reply stream is left', () => {
    const { router, talk } = serve();
    const stream = new AbortController();
    const sent: unknown[] = [];
    const params = enveloped({ notifications: all });
    const exchange = { send: (message: unknown) => void sent.push(message), signal: stream.signal };
    talk.say({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }, 0, exchange);
    stream.abort();
    router.change({ kind: 'tools' });
    expect([sent.length, router.listeners, talk.inlet.running]).toEqual([1, 0, 0]);
  });
});
