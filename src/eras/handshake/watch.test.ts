import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { join, type Pairing } from '../../../test/fixtures/eras/joined.ts';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { Talk } from '../../../test/fixtures/eras/talk.ts';
import type { Change } from '../../protocol/change.ts';
import { serveEras } from '../for-servers.ts';

const pairing: Pairing = ['handshake', 'one pipe', '2025-11-25', false];
const info = { name: 'r', version: '1' };
const offering = (capabilities: object = { resources: { subscribe: true } }): ReturnType<typeof testRouter> =>
  testRouter({}, { info, capabilities: capabilities as never });

async function introduced(router = offering()): Promise<Talk> {
  const talk = new Talk(serveEras(router));
  await talk.initialize('2025-11-25');
  return talk;
}

describe('a server', () => {
  it('tells of the resources that were subscribed to, and of what is below them, until that ends', async () => {
    const router = offering();
    const talk = await introduced(router);
    const changed = (uri: string): void => router.change({ kind: 'resource', uri });
    changed('a:1');
    expect((await talk.ask('resources/subscribe', { uri: 'a:1' })).result).toEqual({});
    for (const uri of ['a:1', 'a:1/b', 'a:12', 'a:2']) changed(uri);
    expect((await talk.ask('resources/unsubscribe', { uri: 'a:1' })).result).toEqual({});
    changed('a:1');
    const told = talk.notifications.map(({ method, params }) => [method, params]);
    expect(told).toEqual([
      ['notifications/resources/updated', { uri: 'a:1' }],
      ['notifications/resources/updated', { uri: 'a:1/b' }],
    ]);
  });

  it('keeps the subscriptions of its clients apart', async () => {
    const router = offering();
    const acceptor = serveEras(router);
    const [one, other] = [new Talk(acceptor), new Talk(acceptor)];
    await Promise.all([one.initialize('2025-06-18'), other.initialize('2024-11-05')]);
    await one.ask('resources/subscribe', { uri: 'a:1' });
    router.change({ kind: 'resource', uri: 'a:1' });
    expect([one.notifications.length, other.notifications.length]).toEqual([1, 0]);
  });

  it('refuses what is no URI, and more than it can remember', async () => {
    const talk = await introduced();
    expect((await talk.ask('resources/subscribe', {})).error).toMatchObject({ code: -32602 });
    for (let count = 0; count < 1_000; count += 1) {
      talk.say({
        jsonrpc: '2.0',
        id: `s${count}`,
        method: 'resources/subscribe',
        params: { uri: `a:${count}` },
      });
    }
    expect((await talk.ask('resources/subscribe', { uri: 'b:1' })).error).toMatchObject({ code: -32600 });
    expect((await talk.ask('resources/subscribe', { uri: 'a:1' })).result).toEqual({});
  });

  it('refuses a URI that is too long, and URIs that are too long together, until some are given up', async () => {
    const talk = await introduced();
    const long = await talk.ask('resources/subscribe', { uri: 'a'.repeat(65_537) });
    expect(long.error).toMatchObject({ code: -32602 });
    const uri = (count: number): string => String(count).padEnd(65_536, 'x');
    for (let count = 0; count < 16; count += 1) {
      expect((await talk.ask('resources/subscribe', { uri: uri(count) })).result).toEqual({});
    }
    expect((await talk.ask('resources/subscribe', { uri: 'b' })).error).toMatchObject({ code: -32600 });
    expect((await talk.ask('resources/subscribe', { uri: uri(3) })).result).toEqual({});
    for (const _twice of [1, 2]) await talk.ask('resources/unsubscribe', { uri: uri(3) });
    expect((await talk.ask('resources/subscribe', { uri: uri(16) })).result).toEqual({});
    expect((await talk.ask('resources/subscribe', { uri: 'b' })).error).toMatchObject({ code: -32600 });
  });

  it('has no such methods where it promises no subscriptions', async () => {
    const talk = await introduced(offering({ resources: {} }));
    expect((await talk.ask('resources/subscribe', { uri: 'a:1' })).error).toMatchObject({ code: -32601 });
  });
});

describe('a client', () => {
  it('asks once for a resource that several watch, and stops when the last of them leaves', async () => {
    const said: unknown[] = [];
    const router = offering();
    const inner = serveEras(router);
    const { era } = await join(pairing, {
      accept(standing, options) {
        const inlet = inner.accept(standing, options);
        const receive = inlet.receive.bind(inlet);
        inlet.receive = (value, exchange, bytes) => {
          const { method, params } = value as { method?: string; params?: { uri?: string } };
          if (method?.startsWith('resources/')) said.push([method, params?.uri]);
          receive(value, exchange, bytes);
        };
        return inlet;
      },
    });
    const controllers = [new AbortController(), new AbortController()];
    const [first, second] = controllers.map(({ signal }) =>
      era.watch({ uris: ['a:1', 'a:1'] }, signal)[Symbol.asyncIterator](),
    );
    await turn();
    expect(said).toEqual([['resources/subscribe', 'a:1']]);
    router.change({ kind: 'resource', uri: 'a:1' });
    const change: Change = { kind: 'resource', uri: 'a:1' };
    expect((await first?.next())?.value).toEqual(change);
    expect((await second?.next())?.value).toEqual(change);
    controllers[0]?.abort();
    await turn();
    expect(said).toHaveLength(1);
    controllers[1]?.abort();
    await turn();
    expect(said[1]).toEqual(['resources/unsubscribe', 'a:1']);
  });

  it('notes what it cannot watch, and watches the rest', async () => {
    const router = offering({ tools: { listChanged: true } });
    const { era, options } = await join(pairing, router);
    const changes = era
      .watch({ uris: ['a:1'], tools: true }, new AbortController().signal)
      [Symbol.asyncIterator]();
    await turn();
    router.change({ kind: 'tools' });
    expect((await changes.next()).value).toEqual({ kind: 'tools' });
    expect(options.diagnostics.filter(({ kind }) => kind === 'watch-refused')).toHaveLength(1);
  });

  it('asks for nothing when it was told to stop before it began, and says nothing more when it closes', async () => {
    const router = offering();
    const { era, link } = await join(pairing, router);
    const before = link.nextId();
    for await (const _change of era.watch({ uris: ['a:1'] }, AbortSignal.abort()))
      throw new Error('told of a change');
    expect(link.nextId()).toBe(Number(before) + 1);
    const open = era
      .watch({ uris: ['a:2'] }, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next();
    await turn();
    const last = Number(link.nextId());
    era.close();
    expect((await open).done).toBe(true);
    expect(link.nextId()).toBe(last + 1);
  });
});
