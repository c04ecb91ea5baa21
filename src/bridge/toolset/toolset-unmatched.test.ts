import { describe, expect, it } from 'vitest';
import { plainClient } from '../../../test/fixtures/plain-server.ts';
import { connect } from '../../client/client.ts';
import {
  clientOf,
  echo,
  listen,
  namesOf,
  plainTool,
  runTool,
  serverOf,
  textOf,
  withClients,
} from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';
import type { ToolsetEvent } from './toolset-events.ts';
import type { ToolsetOptions } from './toolset-options.ts';

async function told(options: ToolsetOptions): Promise<{
  readonly unmatched: readonly ToolsetEvent[];
  readonly approved: readonly string[];
}> {
  const { onEvent, events } = listen();
  const clients = { one: await clientOf('one', [echo, 'remove']), two: await clientOf('two', ['read']) };
  return withClients(clients, { ...options, onEvent }, async set => {
    const tools = await set.tools();
    await set.refresh();
    const marked = tools.filter(each => (each as { needsApproval?: unknown }).needsApproval === true);
    return { unmatched: events.filter(({ type }) => type === 'unmatched'), approved: namesOf(marked) };
  });
}

describe('an option that names what is not there', () => {
  it.each<[ToolsetOptions, string, RegExp]>([
    [{ filter: ['*', '!remvoe'] }, '!remvoe', /"filter" names "!remvoe", which means no tool$/],
    [{ filter: ['*', 'git/*'] }, 'git/*', /"filter"/],
    [{ alwaysShow: 'raed' }, 'raed', /"alwaysShow"/],
    [{ needsApproval: 'delete_*' }, 'delete_*', /means no tool$/],
    [{ adjust: { 'one/ech': { retries: 1 } } }, 'one/ech', /"adjust"/],
    [{ adjust: { echo: { hide: ['zz'] } } }, 'echo', /the argument "zz", which no such tool has/],
    [{ adjust: { 'one/*': { pin: { zz: 5 } } } }, 'one/*', /the argument "zz"/],
  ])('%j is told of once, and changes nothing else', async (options, pattern, reason) => {
    const { unmatched, approved } = await told(options);
    expect(unmatched).toEqual([expect.objectContaining({ pattern, reason: expect.stringMatching(reason) })]);
    expect(approved).toEqual([]);
  });

  it.each<[ToolsetOptions, readonly string[]]>([
    [{ needsApproval: 'remvoe' }, ['echo', 'remove', 'read']],
    [{ needsApproval: 'one/remvoe' }, ['echo', 'remove']],
    [{ adjust: { remvoe: { needsApproval: true } } }, ['echo', 'remove', 'read']],
    [{ adjust: { 'one/ehco': { pin: { tenant: 't' } }, 'one/remove': { needsApproval: false } } }, ['echo']],
  ])('%j fails closed: until it is there every call needs approval', async (options, names) => {
    const { unmatched, approved } = await told(options);
    expect(approved).toEqual(names);
    expect(unmatched).toMatchObject([{ reason: expect.stringContaining('every call needs approval') }]);
  });

  it('is not told of what is there, nor of a server that has not listed its tools yet', async () => {
    const there = {
      needsApproval: 'remove',
      filter: ['!x*', '*'],
      adjust: { 'one/echo': { pin: { tenant: 't' } } },
    };
    expect(await told({ ...there, filter: '*' })).toEqual({ unmatched: [], approved: ['remove'] });
    const { onEvent, events } = listen();
    const set = toolset(
      { one: () => connect(serverOf('one', ['a'])), down: () => Promise.reject(new Error('down')) },
      { onEvent, needsApproval: 'push', adjust: { 'down/pull': { retries: 1 }, 'one/b': { retries: 1 } } },
    );
    await set.tools();
    expect(events.filter(({ type }) => type === 'unmatched')).toMatchObject([{ pattern: 'one/b' }]);
    await set.close();
  });

  it('is asked about by the approver of the toolset, and no more once the tool comes', async () => {
    const asked: string[] = [];
    const server = serverOf('one', ['a']);
    const client = await connect(server);
    const { onEvent, next } = listen();
    const approve = ({ tool }: { readonly tool: string }): boolean => asked.push(tool) > 0;
    const set = toolset({ one: client }, { approve, needsApproval: 'remove', onEvent });
    await runTool(await set.tools(), 'a');
    const stale = next('stale');
    server.update({ tools: [plainTool('a'), plainTool('remove')] });
    await stale;
    await runTool(await set.tools(), 'a');
    expect(asked).toEqual(['a']);
    await set.close();
    await client.close();
  });

  it('as an argument to pin takes the tool out, with the arguments that it has; the value is never sent', async () => {
    const one = await clientOf('one', [echo, 'other']);
    const adjust = { echo: { pin: { tennant: 't' } } };
    await withClients({ one }, { adjust }, async set => {
      expect(namesOf(await set.tools())).toEqual(['other']);
      expect(set.dropped()).toMatchObject([
        {
          tool: 'echo',
          reason: expect.stringContaining(
            'no argument "tennant" to pin; its arguments are text, tenant, depth',
          ),
        },
      ]);
    });
    const two = await clientOf('two', [echo]);
    await withClients({ two }, { adjust: { '*': { pin: { tennant: 't' } } } }, async set => {
      const args = { text: 'x', tenant: 'a', depth: 1 };
      expect(JSON.parse(textOf(await runTool(await set.tools(), 'echo', args)))).toEqual(args);
    });
  });
});

it('a second tool of one name and one without a name are among the dropped, with the reason', async () => {
  const inputSchema = { type: 'object' };
  const { client } = await plainClient({
    'tools/list': () => ({
      tools: [{ name: 'a', inputSchema }, { name: 'a', inputSchema }, { inputSchema }],
    }),
  });
  const set = toolset({ one: client });
  expect(namesOf(await set.tools())).toEqual(['a']);
  expect(set.dropped()).toEqual([
    { server: 'one', tool: 'a', reason: 'a second tool named "a" was dropped' },
    { server: 'one', tool: '*', reason: 'entry 2 has no name and was dropped' },
  ]);
  await set.refresh();
  expect(set.dropped()).toHaveLength(2);
  await set.close();
  await client.close();
});
