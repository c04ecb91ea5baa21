import { expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../test/fixtures/eras/talk.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { serveEras } from './for-servers.ts';

guardRejections();

const server = 'io.modelcontextprotocol/serverInfo';

it('serves both eras on one connection, each request in its own', async () => {
  const running: { call: Call; finish: (outcome: Outcome) => void }[] = [];
  const router = testRouter({
    'tools/list': () => ({ value: { tools: [] } }),
    'tools/call': call => new Promise(finish => running.push({ call, finish })),
  });
  const talk = new Talk(serveEras(router));

  // The very first message may be a stateless request; it opens nothing.
  expect((await talk.ask('tools/list', enveloped(), 0)).result).toMatchObject({ resultType: 'complete' });
  expect((await talk.ask('tools/list')).error?.code).toBe(-32600);

  await talk.initialize('2025-06-18', { capabilities: { roots: {} } });
  const answers = [
    talk.ask('tools/call', {}, 'old'),
    talk.ask('tools/call', enveloped(), 'new'),
    talk.ask('tools/call', {}, 'old 2'),
  ];
  expect(running.map(({ call }) => [call.client.revision, call.client.capabilities])).toEqual([
    ['2025-06-18', { roots: {} }],
    ['2026-07-28', {}],
    ['2025-06-18', { roots: {} }],
  ]);
  for (const { finish } of running.reverse()) finish({ value: { content: [] } });
  const [old, newer, second] = await Promise.all(answers);
  expect(old?.result).toEqual({ content: [] });
  expect(newer?.result).toMatchObject({ resultType: 'complete', content: [], _meta: { [server]: {} } });
  expect(second?.result).toEqual({ content: [] });

  // The envelope did not touch the session, nor the session what an envelope means.
  expect((await talk.ask('ping', enveloped())).error?.code).toBe(-32601);
  expect((await talk.ask('ping')).result).toEqual({});
  expect((await talk.ask('tools/list')).result).toEqual({ tools: [] });
});

it('uses the ids of one connection in both eras together', async () => {
  const router = testRouter({ 'tools/call': () => new Promise(() => {}) });
  const talk = new Talk(serveEras(router));
  await talk.initialize('2025-11-25');
  talk.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
  const refused = talk.answer(null);
  talk.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: enveloped() });
  expect((await refused).error?.message).toContain('in use');
  talk.notify('notifications/cancelled', { requestId: 1 });
  expect(talk.inlet.running).toBe(0);
});

it('tells a change once in each era that asked for it', async () => {
  const router = testRouter();
  const talk = new Talk(serveEras(router));
  await talk.initialize('2025-11-25');
  const listen = enveloped({ notifications: { toolsListChanged: true } });
  talk.say({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params: listen });
  talk.got.splice(0);
  router.change({ kind: 'tools' });
  await turn();
  expect(talk.got).toEqual([
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    {
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
    },
  ]);
});

it('keeps connections apart', async () => {
  const acceptor = serveEras(testRouter({ 'tools/call': () => new Promise(() => {}) }));
  const [one, other] = [new Talk(acceptor), new Talk(acceptor)];
  await one.initialize('2025-11-25');
  one.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} });
  expect((await other.ask('tools/call', {}, 1)).error?.code).toBe(-32600);
  other.notify('notifications/cancelled', { requestId: 1 });
  expect([one.inlet.running, other.inlet.running]).toEqual([1, 0]);
});
