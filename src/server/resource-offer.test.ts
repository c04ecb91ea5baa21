import { describe, expect, it } from 'vitest';
import { introductions, served } from '../../test/fixtures/served.ts';
import { ToolError } from '../tools/tool-error.ts';
import { type Resource, resource } from './resource.ts';
import { Server } from './server.ts';
import type { ServerOptions } from './server-options.ts';

const faults: string[] = [];
const serverOf = (resources: readonly Resource[], more: Partial<ServerOptions> = {}): Server =>
  new Server({ name: 's', version: '1', resources, onFault: message => faults.push(message), ...more });
const fixed = (uri: string): Resource => resource({ uri, name: uri, read: () => uri });

describe('defining resources', () => {
  it.each<[string, object, string]>([
    [
      'without a name',
      { uri: 'a:b', read: () => '' },
      'resource: name must be a string that is not blank, got nothing',
    ],
    [
      'without a way to read it',
      { uri: 'a:b', name: 'n' },
      'resource "n": read must be a function, got null',
    ],
    [
      'without a scheme',
      { uri: 'ab', name: 'n', read: () => '' },
      'resource "n": uri must begin with a scheme',
    ],
    ['with a template that is none', { template: 'a:{', name: 'n', read: () => '' }, 'a "{" is never closed'],
    [
      'with both',
      { template: 'a:{b}', uri: 'a:b', name: 'n', read: () => '' },
      'give uri or template, not both',
    ],
  ])('%s is refused', (_what, options, message) => {
    expect(() => resource(options as never)).toThrow(TypeError);
    expect(() => resource(options as never)).toThrow(message);
  });

  it('twice under one URI is refused when they are offered, and so is a hint that is none', () => {
    expect(() => serverOf([fixed('a:b'), fixed('a:b')])).toThrow(
      'resources: the uri "a:b" is given twice; each resource needs one of its own',
    );
    const hinted = resource({
      uri: 'a:b',
      name: 'n',
      freshness: { ttlMs: -1, scope: 'public' },
      read: () => '',
    });
    expect(() => serverOf([hinted])).toThrow('freshness.ttlMs must be an integer of at least 0, got -1');
    expect(() => serverOf([], { freshness: { lists: { ttlMs: 5 } as never } })).toThrow(
      'freshness.lists.scope',
    );
  });
});

describe.each(introductions)('resources (%s)', how => {
  const read = async (server: Server, uri: unknown) =>
    (await served(server, how).ask('resources/read', { uri })) as {
      result?: { contents: unknown; ttlMs?: number; cacheScope?: string };
      error?: { code: number; message: string; data?: unknown };
    };

  it('are promised with subscriptions only where there are any', async () => {
    const server = new Server({ name: 's', version: '1' });
    expect((await served(server, how).ask('resources/list')).error?.code).toBe(-32601);
    server.update({ resources: [] });
    expect((await served(server, how).ask('resources/list')).result).toMatchObject({ resources: [] });
    expect((await served(server, how).ask('resources/templates/list')).result).toMatchObject({
      resourceTemplates: [],
    });
  });

  it('come in pages, families apart', async () => {
    const family = resource({
      template: 'f:{x}',
      name: 'family',
      title: 'F',
      mimeType: 'a/b',
      read: () => '',
    });
    const client = served(serverOf([fixed('a:1'), family, fixed('a:2')], { pageSize: 1 }), how);
    const first = (await client.ask('resources/list')).result as { nextCursor?: string };
    expect(first).toMatchObject({ resources: [{ uri: 'a:1', name: 'a:1' }] });
    const { nextCursor: cursor = '' } = first;
    const second = (await client.ask('resources/list', { cursor })).result;
    expect(second).toMatchObject({ resources: [{ uri: 'a:2' }] });
    expect(second).not.toHaveProperty('nextCursor');
    const families = {
      resourceTemplates: [{ uriTemplate: 'f:{x}', name: 'family', title: 'F', mimeType: 'a/b' }],
    };
    expect((await client.ask('resources/templates/list')).result).toMatchObject(families);
  });

  it('of a family stand in the list when it lists them, each once, with pages through all', async () => {
    const list = (): { uri: string; name: string }[] => [
      { uri: 'f:1', name: 'one' },
      { uri: 'a:1', name: 'again' },
    ];
    const family = resource({ template: 'f:{x}', name: 'family', list, read: ({ x }) => x });
    const client = served(serverOf([fixed('a:1'), family], { pageSize: 1 }), how);
    const page = async (cursor?: string) =>
      (await client.ask('resources/list', cursor === undefined ? {} : { cursor })).result as unknown as {
        resources: { uri: string }[];
        nextCursor?: string;
      };
    const first = await page();
    const second = await page(first.nextCursor);
    expect([...first.resources, ...second.resources].map(({ uri }) => uri)).toEqual(['a:1', 'f:1']);
    expect(second.nextCursor).toBeUndefined();
    expect((await client.ask('resources/list', { cursor: 'x' })).error?.code).toBe(-32602);
  });

  it('that are not there are an error with the URI, and never an empty result', async () => {
    const gone = [undefined, [], { contents: [] }].map((returned, index) =>
      resource({ uri: `gone:${index}`, name: 'gone', read: () => returned as never }),
    );
    const server = serverOf(gone);
    for (const uri of ['none:such', 'gone:0', 'gone:1', 'gone:2']) {
      const message = `there is no resource at "${uri}"`;
      expect((await read(server, uri)).error).toMatchObject({ message, data: { uri } });
    }
    expect((await read(server, 7)).error).toMatchObject({ code: -32602 });
  });

  it('give a media type with every part', async () => {
    const parts = resource({
      uri: 'a:1',
      name: 'n',
      mimeType: 'a/b',
      read: () => ({
        contents: [{ text: 't' }, { blob: Uint8Array.of(1), mimeType: 'c/d', uri: 'a:2' }],
        _meta: { 'x.y/z': 1 },
      }),
    });
    expect((await read(serverOf([parts]), 'a:1')).result).toMatchObject({
      contents: [
        { uri: 'a:1', mimeType: 'a/b', text: 't' },
        { uri: 'a:2', mimeType: 'c/d', blob: 'AQ==' },
      ],
      _meta: { 'x.y/z': 1 },
    });
  });

  it('that lead out of their folder are refused unless the screen is off', async () => {
    const seen: unknown[] = [];
    const family = (screen?: boolean): Resource =>
      resource({
        template: 'f:{+path}{?q*}',
        name: 'n',
        ...(screen === undefined ? {} : { screen }),
        read: values => String(seen.push(values)),
      });
    for (const uri of ['f:../x', 'f:a?q=..', 'f:%2e%2e%2fx', 'f:/etc', 'f:x%00']) {
      expect((await read(serverOf([family()]), uri)).error).toMatchObject({ code: -32602 });
      expect((await read(serverOf([family(true)]), uri)).error).toMatchObject({ code: -32602 });
    }
    expect(seen).toEqual([]);
    expect((await read(serverOf([family(false)]), 'f:..%2fx')).result).toBeDefined();
    expect(seen).toEqual([{ path: '../x' }]);
  });

  it('whose reading fails say what they mean to say, and hide the rest', async () => {
    const failing = (thrown: unknown): Server =>
      serverOf([
        resource({
          uri: 'a:1',
          name: 'n',
          read() {
            throw thrown;
          },
        }),
      ]);
    const said = await read(failing(new ToolError('the disk sleeps')), 'a:1');
    expect(said.error).toMatchObject({ code: -32603, message: 'the disk sleeps', data: { uri: 'a:1' } });
    faults.length = 0;
    const hidden = await read(failing(new Error('password=hunter2222')), 'a:1');
    expect(hidden.error).toMatchObject({ code: -32603, message: expect.not.stringContaining('hunter') });
    expect(faults).toHaveLength(1);
    const odd = serverOf([resource({ uri: 'a:1', name: 'n', read: () => 7 as never })]);
    expect((await read(odd, 'a:1')).error).toMatchObject({ code: -32603 });
  });

  it('say how long they may be kept: the result before the resource before the server', async () => {
    const hint = (ttlMs: number) => ({ ttlMs, scope: 'public' }) as const;
    const server = serverOf(
      [
        resource({
          uri: 'a:1',
          name: 'n',
          freshness: hint(1),
          read: () => ({ contents: [{ text: '' }], freshness: hint(2) }),
        }),
        resource({ uri: 'a:2', name: 'n', freshness: hint(1), read: () => '' }),
        fixed('a:3'),
      ],
      { freshness: { reads: hint(3), lists: hint(4) } },
    );
    const client = served(server, how);
    const given = await Promise.all([
      ...['a:1', 'a:2', 'a:3'].map(uri => read(server, uri)),
      ...['tools/list', 'resources/list', 'resources/templates/list'].map(method => client.ask(method)),
    ]);
    const ttls = given.map(({ result }) => (result as { ttlMs?: number } | undefined)?.ttlMs);
    // A server of resources alone has no tools to list.
    expect(ttls).toEqual(how === 'stateless' ? [2, 1, 3, undefined, 4, 4] : Array(6).fill(undefined));
  });
});
