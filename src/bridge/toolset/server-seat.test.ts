import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import { AsyncQueue } from '../../basics/queue.ts';
import type { Client } from '../../client/client.ts';
import type { Change } from '../../protocol/change.ts';
import { ConnectionError } from '../../rpc/connection-error.ts';
import { listen, namesOf, runTool, textOf } from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';

interface FakeFacts {
  readonly watch?: () => AsyncIterable<Change>;
  readonly call?: (name: string) => Promise<unknown>;
}

/** What a toolset sees of a client, and how often it was asked. */
function fakeClient({ watch, call }: FakeFacts = {}) {
  const gone = new AbortController();
  const seen = { lists: 0, watches: 0, closes: 0 };
  const fake = {
    server: { name: 'fake', version: '1' },
    capabilities: { tools: { listChanged: true } },
    diagnostics: [],
    access: () => ({ gone: gone.signal }),
    tools: () => ({
      all: async () => {
        seen.lists += 1;
        return [{ name: 'a', inputSchema: { type: 'object' } }];
      },
    }),
    call: call ?? (async () => ({ content: [{ type: 'text', text: 'called' }], isError: false })),
    watch: () => {
      seen.watches += 1;
      return watch?.() ?? new AsyncQueue<Change>();
    },
    close: async () => {
      seen.closes += 1;
      gone.abort(new Error('closed'));
    },
  };
  return { client: fake as unknown as Client, seen, gone };
}

const notSent = (): ConnectionError =>
  new ConnectionError('the pipe is broken', { phase: 'tools/call', reason: 'write', outcome: 'not-sent' });

describe('a watched server', () => {
  it('that ends the watch is read and watched again in the next turn, and not before', async () => {
    const queue = new AsyncQueue<Change>();
    let isFirst = true;
    const { client, seen } = fakeClient({
      watch: () => {
        if (!isFirst) return new AsyncQueue<Change>();
        isFirst = false;
        return queue;
      },
    });
    const set = toolset(client);
    const list = await set.tools();
    await set.tools();
    expect(seen).toMatchObject({ lists: 1, watches: 1 });
    queue.end();
    await new Promise(setImmediate);
    expect(seen).toMatchObject({ lists: 1, watches: 1 });
    expect(await set.tools()).toBe(list);
    expect(seen).toMatchObject({ lists: 2, watches: 2 });
    await set.tools();
    expect(seen).toMatchObject({ lists: 2, watches: 2 });
    await set.close();
  });

  it('that refuses to be watched is asked for its list in each turn, and keeps its tools', async () => {
    const { client, seen } = fakeClient({
      // biome-ignore lint/correctness/useYield: it fails before it could
      watch: async function* () {
        throw new Error('no such method');
      },
    });
    const set = toolset(client);
    await set.tools();
    await new Promise(setImmediate);
    const { lists, watches } = seen;
    expect(namesOf(await set.tools())).toEqual(['a']);
    await new Promise(setImmediate);
    expect(seen.lists - lists).toBeLessThanOrEqual(3);
    expect(seen.watches - watches).toBe(1);
    await set.close();
  });
});

describe('a call that could not be sent', () => {
  it('is sent over the next connection, once', async () => {
    let calls = 0;
    const first = fakeClient({
      call: async () => {
        calls += 1;
        first.gone.abort(notSent());
        throw notSent();
      },
    });
    const second = fakeClient();
    const clients = [first.client, second.client];
    const set = toolset({ one: () => clients.shift() as Client });
    const tools = await set.tools();
    expect(textOf(await runTool(tools, 'a'))).toBe('called');
    expect(calls).toBe(1);
    expect(first.seen.closes).toBe(1);
    await set.close();
    expect(second.seen.closes).toBe(1);
  });

  it('is not sent again when it may have arrived, or when there is no other connection', async () => {
    let calls = 0;
    const lost = (outcome: 'unknown' | 'not-sent') =>
      fakeClient({
        call: async () => {
          calls += 1;
          throw new ConnectionError('cut', { phase: 'tools/call', reason: 'network', outcome });
        },
      });
    const unknown = lost('unknown');
    const set = toolset({ one: () => unknown.client });
    await expect(runTool(await set.tools(), 'a')).rejects.toThrow('server "one": cut');
    const given = toolset({ one: lost('not-sent').client });
    await expect(runTool(await given.tools(), 'a')).rejects.toThrow('server "one": cut');
    expect(calls).toBe(2);
    await Promise.all([set.close(), given.close()]);
  });
});

it('a factory that gives a dead client is a failed server, tried again after its rest', async () => {
  const clock = manualClock();
  const dead = fakeClient();
  dead.gone.abort(new Error('died at once'));
  const { onEvent, events } = listen();
  const clients = [dead.client, fakeClient().client];
  const set = toolset({ one: () => clients.shift() as Client }, { clock, onEvent });
  await expect(set.tools()).rejects.toThrow(
    /server "one": its client has no connection any more: died at once/,
  );
  await expect(set.tools()).rejects.toThrow(/died at once/);
  clock.advance(1_000);
  expect(namesOf(await set.tools())).toEqual(['a']);
  expect(events.map(event => (event.type === 'server' ? event.server.state : event.type))).toEqual([
    'connecting',
    'failed',
    'connecting',
    'ready',
  ]);
  await set.close();
});
