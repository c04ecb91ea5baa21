import { describe, expect, it } from 'vitest';
import { plainClient, sent } from '../../../test/fixtures/plain-server.ts';
import { Agent } from '../../agent/agent.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import type { Exchange } from '../../channels/channel.ts';
import { connect } from '../../client/client.ts';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import {
  clientOf,
  listen,
  namesOf,
  plainTool,
  runTool,
  serverOf,
  textOf,
} from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;
const promising = { tools: { listChanged: true } };
const listing = (name: string): object => ({ name, inputSchema: { type: 'object' } });

describe('the list of a toolset', () => {
  it('is the same array while nothing changed, and the servers are not asked again', async () => {
    const { client, server } = await plainClient({ 'tools/list': () => ({ tools: [listing('a')] }) });
    const set = toolset(client);
    const first = await set.tools();
    expect(await set.tools()).toBe(first);
    expect(sent(server, 'tools/list')).toHaveLength(1);
    expect(await set.refresh()).toBe(first);
    expect(sent(server, 'tools/list')).toHaveLength(2);
    await set.close();
    await client.close();
  });

  it('is read again when the server says that it changed, and tells what is different', async () => {
    const server = serverOf('one', ['a', 'b', 'c']);
    const client = await connect(server);
    const { onEvent, events, next } = listen();
    const set = toolset(client, { onEvent });
    const first = await set.tools();
    const stale = next('stale');
    server.update({ tools: [plainTool('b', 'Does b better'), plainTool('c'), plainTool('d')] });
    expect(await stale).toEqual({ type: 'stale', server: 'one' });
    const second = await set.tools();
    expect(namesOf(second)).toEqual(['b', 'c', 'd']);
    expect(events.filter(({ type }) => type === 'change')).toEqual([
      { type: 'change', added: ['d'], removed: ['a'], changed: ['b'] },
    ]);
    // What did not change is the very same tool.
    expect(second[1]).toBe(first[2]);
    await set.close();
    await client.close();
  });

  it('is read once for any number of changes between two turns', async () => {
    let exchange: Exchange | undefined;
    const { client, server } = await plainClient(
      {
        'tools/list': call => {
          exchange = call.exchange;
          return { tools: [listing('a')] };
        },
      },
      {},
      promising,
    );
    const { onEvent, events, next } = listen();
    const set = toolset(client, { onEvent });
    await set.tools();
    for (let count = 0; count < 50; count += 1) exchange?.send(changed);
    while (events.filter(({ type }) => type === 'stale').length < 50) await next('stale');
    await set.tools();
    expect(sent(server, 'tools/list')).toHaveLength(2);
    await set.close();
    await client.close();
  });

  it('is never that of before a change which came while it was being read', async () => {
    let isNew = false;
    let answer: (list: object) => void = () => {};
    const exchanges: Exchange[] = [];
    let asked: () => void = () => {};
    const wasAsked = new Promise<void>(resolve => {
      asked = resolve;
    });
    const { client, server } = await plainClient(
      {
        'tools/list': ({ exchange }) => {
          exchanges.push(exchange);
          if (isNew) return { tools: [listing('new')] };
          asked();
          return new Promise<object>(resolve => {
            answer = resolve;
          });
        },
      },
      {},
      promising,
    );
    const { onEvent, next } = listen();
    const set = toolset(client, { onEvent });
    const running = set.tools();
    await wasAsked;
    const stale = next('stale');
    exchanges[0]?.send(changed);
    await stale;
    isNew = true;
    answer({ tools: [listing('old')] });
    expect(namesOf(await running)).toEqual(['new']);
    expect(sent(server, 'tools/list')).toHaveLength(2);
    await set.close();
    await client.close();
  });

  it('is the newest there is when the server changes without end, and is read again in the next turn', async () => {
    let count = 0;
    const { client, server } = await plainClient(
      {
        'tools/list': ({ exchange }) => {
          count += 1;
          exchange.send(changed);
          return { tools: [listing(`tool-${count}`)] };
        },
      },
      {},
      promising,
    );
    const set = toolset(client);
    expect(namesOf(await set.tools())).toEqual(['tool-3']);
    expect(namesOf(await set.tools())).toEqual(['tool-6']);
    expect(sent(server, 'tools/list')).toHaveLength(6);
    await set.close();
    await client.close();
  });

  it('is read again when it is older than it may be', async () => {
    const clock = manualClock();
    const { client, server } = await plainClient({ 'tools/list': () => ({ tools: [listing('a')] }) });
    const set = toolset(client, { clock, maxAge: 60_000 });
    const first = await set.tools();
    clock.advance(59_999);
    await set.tools();
    expect(sent(server, 'tools/list')).toHaveLength(1);
    clock.advance(1);
    expect(await set.tools()).toBe(first);
    expect(sent(server, 'tools/list')).toHaveLength(2);
    await set.close();
    await client.close();
  });

  it('has the tools of all pages, and those before a cursor that comes twice', async () => {
    const pages = (params: Readonly<Record<string, unknown>>): object => {
      const page = Number(params['cursor'] ?? 0);
      return { tools: [listing(`t${page}`)], nextCursor: String(Math.min(page + 1, 3)) };
    };
    const { client } = await plainClient({ 'tools/list': ({ params }) => pages(params) });
    const set = toolset(client);
    expect(namesOf(await set.tools())).toEqual(['t0', 't1', 't2', 't3']);
    const cut = 'stopped reading the list because the cursor "3" came twice; 4 entries are kept';
    expect(set.servers()).toMatchObject([{ state: 'ready', tools: 4, cut }]);
    expect(set.dropped()).toEqual([{ server: 'plain', tool: '*', reason: cut }]);
    await set.close();
    await client.close();
  });

  it('stops being watched with the toolset', async () => {
    const server = serverOf('one', ['a']);
    const client = await connect(server);
    const { onEvent, events } = listen();
    const set = toolset(client, { onEvent });
    await set.tools();
    await set.close();
    server.update({ tools: [plainTool('b')] });
    await client.tools().all();
    expect(events.filter(({ type }) => type === 'stale')).toEqual([]);
    await client.close();
  });

  it('changes between the turns of a run and never within one', async () => {
    const server = serverOf('one', []);
    const { onEvent, next } = listen();
    const grow = tool({
      name: 'grow',
      description: '',
      async run() {
        const stale = next('stale');
        server.update({ tools: [grow, plainTool('grown', '', 'here I am')] });
        await stale;
        return 'there is more now';
      },
    });
    server.update({ tools: [grow] });
    const client = await connect(server);
    const set = toolset(client, { onEvent });
    const model = scripted([
      { toolCalls: [{ name: 'grow' }, { name: 'grown' }] },
      { toolCalls: [{ name: 'grown' }] },
      'done',
    ]);
    const { messages } = await new Agent({ model, tools: set }).run('go');
    expect(model.requests.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      ['grow'],
      ['grow', 'grown'],
      ['grow', 'grown'],
    ]);
    const read = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(read[1]).toMatch(/no tool named "grown"/);
    expect(read[2]).toBe('here I am');
    await set.close();
    await client.close();
  });

  it('lets ten calls run side by side', async () => {
    const waiting: (() => void)[] = [];
    const meet = tool({
      name: 'meet',
      description: '',
      run: () =>
        new Promise<string>(resolve => {
          waiting.push(() => resolve('met'));
          if (waiting.length === 10) for (const go of waiting) go();
        }),
    });
    const client = await clientOf('one', [meet]);
    const set = toolset(client);
    const tools = await set.tools();
    const results = await Promise.all(Array.from({ length: 10 }, () => runTool(tools, 'meet')));
    expect(results.map(textOf)).toEqual(Array.from({ length: 10 }, () => 'met'));
    await set.close();
    await client.close();
  });
});
