import { describe, expect, it } from 'vitest';
import { plainClient } from '../../../test/fixtures/plain-server.ts';
import { clientOf, namesOf, reader, runTool, textOf, withClients } from './fixtures/toolset-servers.ts';
import type { DroppedTool } from './served-tool.ts';
import { toolset } from './toolset.ts';
import type { ToolsetOptions } from './toolset-options.ts';

async function namesWith(options: ToolsetOptions): Promise<string[]> {
  const git = await clientOf('git', ['read_file', 'delete_file', reader]);
  const web = await clientOf('web', ['read_page']);
  return withClients({ git, web }, options, async set => namesOf(await set.tools()));
}

describe('a filter takes in', () => {
  it.each([
    ['a name', 'read_file', ['read_file']],
    ['a pattern', 'read_*', ['read_file', 'read_page']],
    ['names of one server', 'git/*', ['read_file', 'delete_file', 'reader']],
    ['all but some', ['!delete_*', '!web/*'], ['read_file', 'reader']],
    ['some again', ['!*', 'read_*', '!git/*'], ['read_page']],
    ['what a function says', ({ name }: { name: string }) => name.length === 6, ['reader']],
    ['no hints of servers that are not trusted', { annotations: { readOnlyHint: true } }, []],
  ] satisfies [string, ToolsetOptions['filter'], string[]][])('%s', async (_what, filter, names) => {
    expect(await namesWith({ filter })).toEqual(names);
  });

  it('hints of trusted servers', async () => {
    const filter = { names: 'read*', annotations: { readOnlyHint: true } };
    expect(await namesWith({ filter, trustAnnotations: ['git'] })).toEqual(['reader']);
    expect(await namesWith({ filter, trustAnnotations: ['web'] })).toEqual([]);
    expect(await namesWith({ filter, trustAnnotations: true })).toEqual(['reader']);
  });

  it('what it can judge, and reports what it throws about', async () => {
    const dropped: DroppedTool[] = [];
    const filter = ({ name }: { name: string }): boolean => {
      if (name === 'read_file') throw new Error('not today');
      return true;
    };
    const names = await namesWith({ filter, onDrop: drop => dropped.push(drop) });
    expect(names).toEqual(['delete_file', 'reader', 'read_page']);
    expect(dropped).toEqual([{ server: 'git', tool: 'read_file', reason: 'not today' }]);
  });

  it('so many tools of a server and no more, and says how many are left', async () => {
    const dropped: DroppedTool[] = [];
    expect(await namesWith({ maxTools: 2, onDrop: drop => dropped.push(drop) })).toEqual([
      'read_file',
      'delete_file',
      'read_page',
    ]);
    expect(dropped).toEqual([
      { server: 'git', tool: '*', reason: expect.stringMatching(/first 2 .* 1 more/) },
    ]);
    const git = await clientOf('git', ['read_file', 'delete_file', reader]);
    await withClients({ git }, { maxTools: 2 }, async set => {
      await set.tools();
      expect(set.servers()).toMatchObject([{ tools: 2, cut: dropped[0]?.reason }]);
    });
  });
});

describe('names', () => {
  it('never shadow a local tool, and get a prefix on collision', async () => {
    const one = await clientOf('one', ['find', 'stop']);
    const two = await clientOf('two', ['find']);
    await withClients({ one, two }, { reserved: ['stop'] }, async set => {
      const tools = await set.tools();
      expect(namesOf(tools)).toEqual(['one__find', 'one__stop', 'two__find']);
      expect(textOf(await runTool(tools, 'two__find'))).toBe('two:find');
    });
  });

  it('without prefixes that clash drop both tools, named with the reason', async () => {
    const one = await clientOf('one', ['find', 'a']);
    const two = await clientOf('two', ['find']);
    await withClients({ one, two }, { prefix: 'never' }, async set => {
      expect(namesOf(await set.tools())).toEqual(['a']);
      expect(set.dropped()).toMatchObject([
        { server: 'one', tool: 'find', reason: expect.stringContaining('two has a tool named "find" too') },
        { server: 'two', tool: 'find' },
      ]);
    });
  });

  it('do not pass to another tool while a server is down', async () => {
    const one = await clientOf('one', ['find']);
    const two = await clientOf('two', ['find']);
    await withClients({ one, two }, {}, async set => {
      await set.tools();
      await one.close();
      expect(namesOf(await set.tools())).toEqual(['two__find']);
    });
  });
});

it.each([
  [{ filter: 3 }, /filter must be/],
  [{ filter: {} }, /filter must have annotations/],
  [{ prefix: 'sometimes' }, /prefix must be/],
  [{ separator: ' ' }, /separator must be/],
  [{ reserved: 'a' }, /reserved must be a list/],
  [{ adjust: { a: { timeout: 0 } } }, /adjust\["a"\]: timeout/],
  [{ adjust: { a: { hide: 'x' } } }, /adjust\["a"\]: hide/],
  [{ adjust: { a: { pin: ['x'] } } }, /adjust\["a"\]: pin/],
  [{ approve: true }, /approve must be a function/],
  [{ trustAnnotations: ['two'] }, /trustAnnotations names "two"; the servers are one/],
  [{ wrap: ['x'] }, /wrap must be/],
  [{ onDrift: 'ignore' }, /onDrift must be/],
  [{ maxTools: 0 }, /maxTools must be/],
  [{ definitionBudget: 1.5 }, /definitionBudget must be/],
  [
    { definitionBudget: 150 },
    /at least \d+ tokens, which find_tools and describe_tool and one small tool take, got 150/,
  ],
  [{ loadTimeout: 0 }, /loadTimeout must be/],
])('toolset refuses %j', async (options, message) => {
  const one = await clientOf('one', []);
  expect(() => toolset({ one }, options as never)).toThrow(message);
  await one.close();
});

it('a tool keeps the name that its server gave it, however odd', async () => {
  const { client } = await plainClient({
    'tools/list': () => ({ tools: [{ name: 'a/b c', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ params }) => ({ content: [{ type: 'text', text: String(params['name']) }] }),
  });
  const set = toolset(client);
  const tools = await set.tools();
  expect(namesOf(tools)).toEqual(['a/b c']);
  expect(textOf(await runTool(tools, 'a/b c'))).toBe('a/b c');
  await set.close();
  await client.close();
});
