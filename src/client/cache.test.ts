import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import type { Channel } from '../channels/channel.ts';
import { http } from '../channels/http-client.ts';
import { EraMemory, revisions } from '../eras/index.ts';
import type { Freshness } from '../protocol/call.ts';
import { resource } from '../server/resource.ts';
import { Server } from '../server/server.ts';
import { tool } from '../tools/tool.ts';
import { ResultCache } from './cache.ts';
import { connect } from './client.ts';
import type { ClientOptions } from './options.ts';

const params = { uri: 'a:1' };
const result = (ttlMs: number, scope: Freshness['scope'] = 'private', value: object = { n: 1 }) => ({
  value: value as Record<string, unknown>,
  freshness: { ttlMs, scope },
});

function cacheOf(options?: ConstructorParameters<typeof ResultCache>[0]) {
  const clock = manualClock();
  const cache = new ResultCache(options, clock);
  return {
    clock,
    cache,
    keep: (...args: Parameters<typeof result>) => cache.keep('m', params, {}, result(...args), cache.stamp),
  };
}

describe('a result that may be kept', () => {
  it('is found until its time is over', () => {
    const { cache, clock, keep } = cacheOf();
    keep(100);
    clock.advance(99);
    expect(cache.find('m', params, {})).toEqual({ n: 1 });
    clock.advance(1);
    expect(cache.find('m', params, {})).toBeUndefined();
  });

  it.each<[string, ConstructorParameters<typeof ResultCache>[0], number]>([
    ['is not, when it is stale at once', true, 0],
    ['is not, when nothing shall be kept', false, 100],
  ])('%s', (_what, options, ttl) => {
    const { cache, keep } = cacheOf(options);
    keep(ttl);
    expect(cache.find('m', params, {})).toBeUndefined();
  });

  it('is the same whatever one who got it does with it', () => {
    const { cache, keep } = cacheOf();
    keep(100, 'private', { list: [1] });
    const first = cache.find('m', params, {}) as { list: number[] };
    first.list.push(2);
    expect(cache.find('m', params, {})).toEqual({ list: [1] });
  });

  it('answers nothing else: another method, other parameters, other headers, another context', () => {
    let who = 'ann';
    const { cache } = cacheOf({ context: () => who });
    const headers = { Authorization: 'a' };
    cache.keep('m', params, { headers }, result(100), cache.stamp);
    expect(cache.find('n', params, { headers })).toBeUndefined();
    expect(cache.find('m', { uri: 'a:2' }, { headers })).toBeUndefined();
    expect(cache.find('m', params, { headers: { authorization: 'b' } })).toBeUndefined();
    expect(cache.find('m', params, {})).toBeUndefined();
    expect(cache.find('m', params, { headers, meta: { x: 1 } })).toBeUndefined();
    who = 'bob';
    expect(cache.find('m', params, { headers })).toBeUndefined();
    who = 'ann';
    expect(cache.find('m', params, { headers: { authorization: 'a' } })).toEqual({ n: 1 });
  });

  it('is for everybody when it is public', () => {
    const { cache } = cacheOf();
    cache.keep('m', params, { headers: { a: '1' } }, result(100, 'public'), cache.stamp);
    expect(cache.find('m', params, { headers: { a: '2' } })).toEqual({ n: 1 });
  });

  it('is not kept when something changed while it was on its way', () => {
    const { cache } = cacheOf();
    const { stamp } = cache;
    cache.changed({ kind: 'tools' });
    cache.keep('m', params, {}, result(100), stamp);
    expect(cache.find('m', params, {})).toBeUndefined();
  });

  it('makes room for newer ones: what was not used for longest goes first', () => {
    const { cache } = cacheOf({ entries: 2 });
    for (const uri of ['1', '2', '3']) {
      cache.keep('m', { uri }, {}, result(100), cache.stamp);
      cache.find('m', { uri: '1' }, {});
    }
    const found = ['1', '2', '3'].map(uri => cache.find('m', { uri }, {}) !== undefined);
    expect(found).toEqual([true, false, true]);
  });

  it('does not fill the memory: 16 MiB of text in all', () => {
    const { cache } = cacheOf();
    const value = { text: 'x'.repeat(6 * 1024 * 1024) };
    for (const uri of ['1', '2', '3'])
      cache.keep('m', { uri }, {}, result(100, 'private', value), cache.stamp);
    cache.keep(
      'm',
      { uri: '4' },
      {},
      result(100, 'private', { text: 'x'.repeat(17 * 1024 * 1024) }),
      cache.stamp,
    );
    const found = ['1', '2', '3', '4'].map(uri => cache.find('m', { uri }, {}) !== undefined);
    expect(found).toEqual([false, true, true, false]);
  });
});

describe('a change', () => {
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

  it.each([
    ['tools', ['tools/list']],
    ['prompts', ['prompts/list']],
    ['resources', ['resources/list', 'resources/templates/list']],
  ] as const)('of the %s drops their lists and no others', (kind, dropped) => {
    const { cache } = cacheOf();
    for (const method of lists) cache.keep(method, {}, {}, result(100), cache.stamp);
    cache.changed({ kind });
    expect(lists.filter(method => !cache.find(method, {}, {}))).toEqual(dropped);
  });

  it('of a resource drops what was read there, above and below', () => {
    const { cache } = cacheOf();
    const uris = ['a:1', 'a:1/b', 'a:1/b/c', 'a:1/bc', 'a:2'];
    for (const uri of uris) cache.keep('resources/read', { uri }, {}, result(100), cache.stamp);
    cache.changed({ kind: 'resource', uri: 'a:1/b' });
    expect(uris.filter(uri => cache.find('resources/read', { uri }, {}))).toEqual(['a:1/bc', 'a:2']);
  });
});

describe('a channel that may ask for several callers', () => {
  it('has private results kept only where it is known for whom they are', () => {
    const clock = manualClock();
    const kept = [new ResultCache(true, clock, true), new ResultCache({ context: () => 'ann' }, clock, true)];
    for (const cache of kept) {
      cache.keep('m', params, {}, result(100), cache.stamp);
      cache.keep('n', params, {}, result(100, 'public'), cache.stamp);
    }
    expect(kept.map(cache => cache.find('m', params, {}))).toEqual([undefined, { n: 1 }]);
    expect(kept.map(cache => cache.find('n', params, {}))).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('has nothing kept for a caller who took over before the answer came', async () => {
    let who = 'ann';
    const server = new Server({
      name: 's',
      version: '1',
      resources: [
        resource({
          uri: 'a:1',
          name: 'n',
          freshness: { ttlMs: 9999, scope: 'private' },
          read: () => {
            const asked = who;
            who = 'bob';
            return asked;
          },
        }),
      ],
    });
    await using client = await connect(server, { eraMemory: new EraMemory(), cache: { context: () => who } });
    expect((await client.read('a:1')).contents[0]?.text).toBe('ann');
    expect((await client.read('a:1')).contents[0]?.text).toBe('bob');
  });

  it('is one of HTTP whose headers come from a function', () => {
    const made = [
      http('http://h/'),
      http('http://h/', { headers: { a: 'b' } }),
      http('http://h/', { headers: () => ({}) }),
    ];
    expect(made.map(({ manyCallers }) => manyCallers)).toEqual([false, false, true]);
  });

  it('never gives one caller what another read', async () => {
    let who = 'ann';
    const channel: Channel = {
      label: 's',
      manyCallers: true,
      open: (receiver, how) => servedFor.open(receiver, how),
    };
    const servedFor = new Server({
      name: 's',
      version: '1',
      resources: [
        resource({ uri: 'a:1', name: 'n', freshness: { ttlMs: 9999, scope: 'private' }, read: () => who }),
      ],
    });
    await using client = await connect(channel, { eraMemory: new EraMemory() });
    expect((await client.read('a:1')).contents[0]?.text).toBe('ann');
    who = 'bob';
    expect((await client.read('a:1')).contents[0]?.text).toBe('bob');
  });
});

describe('a client', () => {
  const clock = manualClock();
  let reads = 0;
  const server = new Server({
    name: 's',
    version: '1',
    freshness: { lists: { ttlMs: 1000, scope: 'public' } },
    tools: [tool({ name: 'one', description: '', run: () => '' })],
    resources: [
      resource({
        uri: 'a:1',
        name: 'n',
        freshness: { ttlMs: 50, scope: 'private' },
        read: () => String(++reads),
      }),
      resource({ uri: 'a:2', name: 'n', read: () => String(++reads) }),
      resource({
        uri: 'a:3',
        name: 'n',
        freshness: { ttlMs: 50, scope: 'private' },
        read: async ({ roots }) => `${(await roots()).length} ${++reads}`,
      }),
    ],
  });
  const join = (options: ClientOptions = {}) =>
    connect(server, { clock, eraMemory: new EraMemory(), onRoots: () => [], ...options });
  const textAt = async (client: Awaited<ReturnType<typeof join>>, uri: string) =>
    (await client.read(uri)).contents[0]?.text;

  it('reads again what is stale, what may not be kept, and what came of a question', async () => {
    await using client = await join();
    reads = 0;
    expect(await textAt(client, 'a:1')).toBe('1');
    expect(await textAt(client, 'a:1')).toBe('1');
    clock.advance(50);
    expect(await textAt(client, 'a:1')).toBe('2');
    expect([await textAt(client, 'a:2'), await textAt(client, 'a:2')]).toEqual(['3', '4']);
    expect([await textAt(client, 'a:3'), await textAt(client, 'a:3')]).toEqual(['0 5', '0 6']);
  });

  it('keeps nothing when it is told so, nor where the era has no such hints', async () => {
    reads = 0;
    for (const options of [{ cache: false }, { protocol: revisions[0] as never }]) {
      await using client = await join(options);
      const first = await textAt(client, 'a:1');
      expect(await textAt(client, 'a:1')).not.toBe(first);
    }
  });

  it('forgets what it is told has changed', async () => {
    await using client = await join();
    const changes = client.watch({ uris: ['a:1'], tools: true })[Symbol.asyncIterator]();
    const before = await textAt(client, 'a:1');
    expect(await client.tools().all()).toHaveLength(1);
    server.changed('a:1');
    await changes.next();
    expect(await textAt(client, 'a:1')).not.toBe(before);
    server.update({ tools: [] });
    await changes.next();
    expect(await client.tools().all()).toHaveLength(0);
  });
});
