import { describe, expect, it } from 'vitest';
import { plainClient, sent } from '../../test/fixtures/plain-server.ts';
import type { Diagnostic } from '../channels/channel.ts';
import { readTools } from './tool-listing.ts';

const good = { name: 'good', description: 'fine', inputSchema: { type: 'object', properties: {} } };
const empty = { type: 'object', properties: {} };

/** Odd entries that are used all the same: what is listed of them, and the members that were mended. */
const mended: readonly [what: string, odd: object, listed: object, members: string][] = [
  ['no inputSchema', { name: 'odd' }, { inputSchema: empty }, 'inputSchema'],
  ['a null schema', { name: 'odd', inputSchema: null }, { inputSchema: empty }, 'inputSchema'],
  ['a schema that is text', { name: 'odd', inputSchema: 'object' }, { inputSchema: empty }, 'inputSchema'],
  ['a schema that is a list', { name: 'odd', inputSchema: [] }, { inputSchema: empty }, 'inputSchema'],
  [
    'null properties',
    { name: 'odd', inputSchema: { type: 'object', properties: null, required: [] } },
    { inputSchema: { type: 'object', required: [] } },
    'inputSchema',
  ],
  [
    'a type that is a list',
    { name: 'odd', inputSchema: { type: ['object', 'null'], properties: { a: {} } } },
    { inputSchema: { type: 'object', properties: { a: {} } } },
    'inputSchema',
  ],
  [
    'the type string',
    { name: 'odd', inputSchema: { type: 'string' } },
    { inputSchema: { type: 'object' } },
    'inputSchema',
  ],
  [
    '$schema alone',
    { name: 'odd', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
    { inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
    'inputSchema',
  ],
  [
    'anyOf at the root',
    { name: 'odd', inputSchema: { anyOf: [{ required: ['a'] }, { required: ['b'] }] } },
    { inputSchema: { anyOf: [{ required: ['a'] }, { required: ['b'] }], type: 'object' } },
    'inputSchema',
  ],
  ['a null description', { ...good, name: 'odd', description: null }, { inputSchema: empty }, 'description'],
  ['a null title', { ...good, name: 'odd', title: null }, { inputSchema: empty }, 'title'],
  ['null annotations', { ...good, name: 'odd', annotations: null }, { inputSchema: empty }, 'annotations'],
  ['a null _meta', { ...good, name: 'odd', _meta: null }, { inputSchema: empty }, '_meta'],
  ['icons that are no objects', { ...good, name: 'odd', icons: ['x'] }, { inputSchema: empty }, 'icons'],
  [
    'an output schema that is a list',
    { ...good, name: 'odd', outputSchema: [] },
    { inputSchema: empty },
    'outputSchema',
  ],
];

/** Entries that nobody could call. */
const dropped: readonly [what: string, odd: unknown, why: string][] = [
  ['no name', { description: 'x', inputSchema: empty }, 'entry 0 has no name'],
  ['an empty name', { ...good, name: '' }, 'entry 0 has no name'],
  ['a name that is a number', { ...good, name: 7 }, 'entry 0 has no name'],
  ['null in its place', null, 'entry 0 has no name'],
  ['text in its place', 'odd', 'entry 0 has no name'],
];

describe('beside a tool with', () => {
  it.each(mended)('%s, the good one and the odd one are listed and can be called', async (...row) => {
    const [, odd, listed, members] = row;
    const { client, server } = await plainClient({
      'tools/list': () => ({ tools: [odd, good] }),
      'tools/call': ({ params }) => ({ content: [{ type: 'text', text: String(params['name']) }] }),
    });
    const tools = await client.tools().all();
    expect(tools.map(({ name }) => name)).toEqual(['odd', 'good']);
    expect(tools[0]).toMatchObject(listed);
    expect(tools[0]?.inputSchema).toEqual((listed as typeof good).inputSchema);
    const [member = ''] = members.split(', ');
    if (member !== 'inputSchema') expect(tools[0]).not.toHaveProperty(member);
    expect(client.diagnostics).toContainEqual({
      kind: 'tool-mended',
      message: `tools/list: the tool "odd" is used without or with a mended ${members}`,
    });
    for (const name of ['odd', 'good']) {
      expect((await client.call(name)).content).toEqual([{ type: 'text', text: name }]);
    }
    expect(sent(server, 'tools/call')).toHaveLength(2);
    await client.close();
  });

  it.each(dropped)('%s, the good one is listed, and the odd one is dropped by itself', async (...row) => {
    const [, odd, why] = row;
    const { client } = await plainClient({ 'tools/list': () => ({ tools: [odd, good] }) });
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['good']);
    expect(client.diagnostics).toContainEqual({
      kind: 'tool-dropped',
      message: `tools/list: ${why} and was dropped`,
    });
    await client.close();
  });
});

describe('a list of tools', () => {
  it('keeps every member, also those that nobody knows', () => {
    const diagnostics: Diagnostic[] = [];
    const full = {
      ...good,
      title: 'T',
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'data:,' }],
      _meta: { a: 1 },
      execution: { some: 'thing' },
    };
    expect(readTools({ tools: [full] }, new Set(), each => diagnostics.push(each))).toEqual([full]);
    expect(diagnostics).toEqual([]);
  });

  it('keeps a schema with a reference that leads nowhere as it is', () => {
    const odd = { name: 'odd', inputSchema: { type: 'object', $ref: '#/$defs/missing' } };
    expect(readTools({ tools: [odd, good] }, new Set(), () => {})).toEqual([odd, good]);
  });

  it('keeps the first of two tools of one name, also across pages, and names the second', async () => {
    const second = { ...good, description: 'second' };
    const { client } = await plainClient({
      'tools/list': ({ params }) =>
        params['cursor'] === undefined
          ? { tools: [good, second], nextCursor: 'more' }
          : { tools: [second, { ...good, name: 'other' }] },
    });
    expect((await client.tools().all()).map(({ description, name }) => [name, description])).toEqual([
      ['good', 'fine'],
      ['other', 'fine'],
    ]);
    expect(client.diagnostics.filter(({ kind }) => kind === 'tool-dropped')).toEqual(
      [1, 2].map(() => ({
        kind: 'tool-dropped',
        message: 'tools/list: a second tool named "good" was dropped',
        data: 'good',
      })),
    );
    await client.close();
  });

  it('is whole each time that the same list is read', async () => {
    const { client } = await plainClient({ 'tools/list': () => ({ tools: [good] }) });
    const list = client.tools();
    expect(await list.all()).toHaveLength(1);
    expect(await list.all()).toHaveLength(1);
    expect(client.diagnostics.filter(({ kind }) => kind === 'tool-dropped')).toEqual([]);
    await client.close();
  });

  it('may have tools with the names of members that every object has', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const listed = readTools({ tools: names.map(name => ({ ...good, name })) }, new Set(), () => {});
    expect(listed.map(({ name }) => name)).toEqual(names);
  });

  it.each([[undefined], [null], [{}], ['tools']])(
    'that is %j counts as empty, and a diagnostic says so',
    async tools => {
      const { client } = await plainClient({ 'tools/list': () => ({ tools }) });
      expect(await client.tools().all()).toEqual([]);
      expect(client.diagnostics.map(({ kind }) => kind)).toContain('odd-list');
      await client.close();
    },
  );
});
