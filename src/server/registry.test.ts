import { describe, expect, it, vi } from 'vitest';
import { introductions, served } from '../../test/fixtures/served.ts';
import { printMessage } from '../basics/json.ts';
import { type AnyTool, tool } from '../tools/tool.ts';
import { Server } from './server.ts';

const simple = (name: string): AnyTool => tool({ name, description: name, run: () => name });
const serverOf = (tools: readonly AnyTool[], pageSize = 1000): Server =>
  new Server({ name: 's', version: '1', tools, pageSize });

describe('registering tools', () => {
  it('refuses two of one name, and says which', () => {
    expect(() => serverOf([simple('a'), simple('b'), simple('a')])).toThrow(
      'tools: the name "a" is given twice; each tool needs one of its own',
    );
  });

  it.each<[string, object, string]>([
    ['leads nowhere', { type: 'object', $ref: '#/$defs/none' }, '$ref'],
    [
      'is out on the network',
      { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } },
      '$ref',
    ],
    ['is for a text', { type: 'string' }, 'object'],
    ['has a type that does not exist', { type: 'object', properties: { a: { type: 'strng' } } }, 'strng'],
  ])('names the tool whose input schema %s, the place and the reason', (_what, input, reason) => {
    const broken = tool({ name: 'broken', description: '', input: input as never, run: () => '' });
    const register = () => serverOf([simple('a'), broken]);
    expect(register).toThrow(TypeError);
    expect(register).toThrow('tool "broken": its schema cannot be used:');
    expect(register).toThrow(reason);
    expect(register).not.toThrow(/cannot be used.*cannot be used/);
  });

  it('names the tool whose output schema cannot be used', () => {
    const output = { type: 'object', $ref: '#/nowhere' } as const;
    const broken = tool({ name: 'broken', description: '', output, run: () => ({ content: [] }) });
    expect(() => serverOf([broken])).toThrow('tool "broken": its schema cannot be used:');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses pages of %d entries', pageSize => {
    expect(() => serverOf([], pageSize)).toThrow('Server: pageSize must be an integer of at least 1');
  });
});

describe.each(introductions)('listing tools (%s)', how => {
  it('shows all that was said of them and nothing of how they run', async () => {
    const full = tool({
      name: 'full',
      title: 'Full',
      description: 'd',
      input: { type: 'object', properties: { a: { type: 'string' } } },
      output: { type: 'object' },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'data:,' }],
      _meta: { 'a.b/c': 1 },
      timeout: 5,
      retries: 9,
      run: () => ({}),
    });
    const { result } = await served(serverOf([full]), how).ask('tools/list');
    expect(result?.tools).toEqual([
      {
        name: 'full',
        title: 'Full',
        description: 'd',
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
        icons: [{ src: 'data:,' }],
        _meta: { 'a.b/c': 1 },
      },
    ]);
  });

  it('gives pages in order, the last one without a cursor', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const client = served(serverOf(names.map(simple), 2), how);
    const pages: unknown[][] = [];
    let cursor: string | undefined;
    do {
      const { result } = await client.ask('tools/list', cursor === undefined ? {} : { cursor });
      pages.push((result?.tools ?? []).map(({ name }) => name));
      cursor = result?.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('has one empty page without tools, and none too many when they fill their pages', async () => {
    expect((await served(serverOf([]), how).ask('tools/list')).result?.tools).toEqual([]);
    const two = await served(serverOf([simple('a'), simple('b')], 2), how).ask('tools/list');
    expect(two.result).not.toHaveProperty('nextCursor');
  });

  it('takes a null cursor for the beginning and refuses any that it did not give out', async () => {
    const client = served(serverOf([simple('a'), simple('b')], 1), how);
    expect((await client.ask('tools/list', { cursor: null })).result?.tools).toHaveLength(1);
    for (const cursor of ['', 'nonsense', btoa('0:7'), 7, {}]) {
      expect((await client.ask('tools/list', { cursor })).error).toMatchObject({ code: -32602 });
    }
  });

  it('refuses a cursor of the list before a change', async () => {
    const server = serverOf([simple('a'), simple('b')], 1);
    const client = served(server, how);
    const cursor = (await client.ask('tools/list')).result?.nextCursor;
    server.update({ tools: [simple('c'), simple('d')] });
    expect((await client.ask('tools/list', { cursor })).error).toEqual({
      code: -32602,
      message: 'the cursor is not one of the current list, which may have changed; list from the beginning',
    });
  });

  it('gives the same object to everybody until a change, so that it is printed once', async () => {
    const server = serverOf([simple('a')]);
    const [one, other] = [served(server, how), served(server, how)];
    const first = (await one.ask('tools/list')).result;
    expect((await one.ask('tools/list')).result).toBe(first);
    expect((await other.ask('tools/list')).result).toBe(first);
    server.update({ tools: [simple('a')] });
    const second = (await one.ask('tools/list')).result;
    expect(second).not.toBe(first);
    expect((await other.ask('tools/list')).result).toBe(second);
  });

  it('is printed once, however many ask for it', async () => {
    const client = served(serverOf([simple('a')]), how);
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      for (let time = 0; time < 5; time += 1) printMessage(await client.ask('tools/list'));
      const lists = stringify.mock.calls.filter(([value]) => (value as { tools?: unknown })?.tools);
      expect(lists).toHaveLength(1);
    } finally {
      stringify.mockRestore();
    }
  });

  it('looks at no other tool when one of 10,000 is called', async () => {
    const reads: string[] = [];
    const tools = Array.from({ length: 10_000 }, (_none, index) => {
      const name = `tool_${index}`;
      return new Proxy(simple(name), {
        get(target, key) {
          reads.push(`${name}.${String(key)}`);
          return Reflect.get(target, key, target);
        },
      });
    });
    const client = served(serverOf(tools), how);
    reads.length = 0;
    expect((await client.call('tool_7777')).result?.isError).not.toBe(true);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.filter(read => !read.startsWith('tool_7777.'))).toEqual([]);
    expect(reads.length).toBeLessThan(10);
  });
});
