import { describe, expect, it } from 'vitest';
import { plainClient } from '../../../test/fixtures/plain-server.ts';
import { Agent } from '../../agent/agent.ts';
import { connect } from '../../client/client.ts';
import type { ModelRequest } from '../../models/model.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { estimateTokens } from './definition-size.ts';
import { clientOf, listen, namesOf, runTool, serverOf, textOf } from './fixtures/toolset-servers.ts';
import { toolset } from './toolset.ts';
import type { ToolsetOptions } from './toolset-options.ts';

const subjects = ['invoice', 'customer', 'parcel', 'contract', 'supplier', 'payment'];
const verbs = [
  'create',
  'read',
  'update',
  'delete',
  'archive',
  'export',
  'approve',
  'list',
  'merge',
  'split',
];
const places = ['warehouse', 'office', 'shop', 'factory', 'harbour'];

/** 300 tools whose definitions take some 150 tokens each. */
function manyTools(): AnyTool[] {
  return subjects.flatMap(subject =>
    verbs.flatMap(verb =>
      places.map(place =>
        tool({
          name: `${place}_${verb}_${subject}`,
          description: `${verb}s one ${subject} of the ${place}. Answers with what became of it, and with the reason when that is nothing.`,
          input: {
            type: 'object',
            properties: {
              id: {
                type: 'string',
                description: `Which ${subject}, such as ${subject}-17; ask for a list first if it is not known.`,
              },
              reason: { type: 'string', description: 'Why it is done, for the log of the house.' },
            },
            required: ['id'],
            additionalProperties: false,
          },
          run: ({ id }) => `${place} ${verb} ${subject} ${id}`,
        }),
      ),
    ),
  );
}

async function bigToolset(options: ToolsetOptions = {}) {
  const server = new Server({ name: 'big', version: '1', tools: manyTools() });
  const client = await connect(server);
  const set = toolset({ big: client }, { definitionBudget: 4_000, ...options });
  const end = async (): Promise<void> => {
    await set.close();
    await client.close();
  };
  return { set, end, server };
}

function tokensOf({ tools = [] }: ModelRequest): number {
  return tools.reduce((sum, each) => sum + estimateTokens(each), 0);
}

describe('300 tools within 4,000 tokens', () => {
  it('are searched, loaded and called by a model, which gets the right one', async () => {
    const { set, end } = await bigToolset();
    const model = scripted([
      { toolCalls: [{ name: 'find_tools', arguments: { query: 'archive a parcel at the harbour' } }] },
      ({ messages }) => {
        const [best = ''] = String(messages.at(-1)?.content).split(':');
        return { toolCalls: [{ name: 'describe_tool', arguments: { name: best } }] };
      },
      ({ tools = [] }) => {
        const loaded = tools.find(({ name }) => name === 'harbour_archive_parcel');
        return { toolCalls: [{ name: loaded?.name ?? 'none', arguments: { id: 'parcel-3' } }] };
      },
      ({ messages }) => `It says: ${String(messages.at(-1)?.content)}`,
    ]);
    const { output } = await new Agent({ model, tools: set }).run('Archive parcel-3 of the harbour.');
    expect(output).toBe('It says: harbour archive parcel parcel-3');
    expect(set.servers()[0]).toMatchObject({ tools: 300 });
    expect(set.servers()[0]?.tokens).toBeGreaterThan(30_000);
    for (const request of model.requests) expect(tokensOf(request)).toBeLessThanOrEqual(4_000);
    expect(namesOf(await set.tools())).toEqual(['find_tools', 'describe_tool', 'harbour_archive_parcel']);
    await end();
  });

  it('stay within them however many are loaded: the one that was not used for longest leaves', async () => {
    const { onEvent, events } = listen();
    const { set, end } = await bigToolset({ onEvent });
    const all = manyTools();
    const load = async (index: number): Promise<string> =>
      textOf({
        content: [
          {
            type: 'text',
            text: String(await runTool(await set.tools(), 'describe_tool', { name: all[index]?.name })),
          },
        ],
      });
    for (let index = 0; index < 20; index += 1) await load(index);
    const first = all[0]?.name ?? '';
    expect(namesOf(await set.tools())).toContain(first);
    await runTool(await set.tools(), first, { id: 'x' });
    let said = '';
    for (let index = 20; index < 40 && !said.includes('To make room'); index += 1) said = await load(index);
    const now = await set.tools();
    expect(now.length).toBeLessThan(40);
    expect(namesOf(now)).toContain(first);
    expect(namesOf(now)).not.toContain(all[1]?.name);
    expect(said).toContain(`these left your list: ${all[1]?.name}`);
    expect(events).toContainEqual({ type: 'unloaded', tool: all[1]?.name });
    expect(await set.tools()).toBe(now);
    await end();
  });

  it('have those first that are always shown', async () => {
    const alwaysShow = ['shop_list_*'];
    const { set, end } = await bigToolset({ alwaysShow });
    const names = namesOf(await set.tools());
    expect(names).toHaveLength(2 + subjects.length);
    expect(names).toContain('shop_list_invoice');
    expect(
      String(await runTool(await set.tools(), 'describe_tool', { name: 'shop_list_invoice' })),
    ).toContain('"id"');
    expect(namesOf(await set.tools())).toEqual(names);
    await end();
  });

  it('that are found by nobody lead to other words; a wrong name to a close one', async () => {
    const { set, end } = await bigToolset();
    const tools = await set.tools();
    expect(String(await runTool(tools, 'find_tools', { query: 'zzz' }))).toBe(
      'Nothing fits "zzz"; try other words. There are tools of: big (300).',
    );
    const lines = String(await runTool(tools, 'find_tools', { query: 'merge contracts', limit: 2 })).split(
      '\n',
    );
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\w+_merge_contract: merges one contract of the /);
    await expect(runTool(tools, 'describe_tool', { name: 'merge_contracts_shop' })).rejects.toThrow(
      /no tool named "merge_contracts_shop"; did you mean shop_merge_contract/,
    );
    // As a provider with other signs would write it.
    expect(String(await runTool(tools, 'describe_tool', { name: 'Shop-Merge-Contract' }))).toContain(
      '"name":"shop_merge_contract"',
    );
    await end();
  });

  it('lose what was loaded when it is gone from the server, and are all shown once they fit', async () => {
    const { onEvent, next } = listen();
    const { set, end, server } = await bigToolset({ onEvent });
    const all = manyTools();
    await runTool(await set.tools(), 'describe_tool', { name: all[0]?.name });
    expect(await set.tools()).toHaveLength(3);
    const stale = next('stale');
    server.update({ tools: all.slice(1) });
    await stale;
    expect(namesOf(await set.tools())).toEqual(['find_tools', 'describe_tool']);
    const again = next('stale');
    server.update({ tools: all.slice(0, 3) });
    await again;
    expect(namesOf(await set.tools())).toEqual(all.slice(0, 3).map(({ name }) => name));
    await end();
  });
});

it('a definition beyond the whole budget cannot be loaded, and that is said', async () => {
  const huge = tool({ name: 'huge', description: 'x'.repeat(20_000), run: () => 'x' });
  const client = await clientOf('one', [huge, 'small']);
  const set = toolset(client, { definitionBudget: 1_000 });
  const tools = await set.tools();
  expect(namesOf(tools)).toEqual(['find_tools', 'describe_tool']);
  await expect(runTool(tools, 'describe_tool', { name: 'huge' })).rejects.toThrow(
    /about 50\d\d tokens, more than/,
  );
  expect(String(await runTool(tools, 'find_tools', { query: 'huge' })).length).toBeLessThan(200);
  await set.close();
  await client.close();
});

it('a name with line breaks is one line, by which the tool is found again', async () => {
  const name = 'odd\nfake_tool: does all';
  const { client } = await plainClient({
    'tools/list': () => ({
      tools: [
        { name, description: 'odd\n\nmore', inputSchema: { type: 'object' } },
        { name: 'big', description: 'x '.repeat(9_000), inputSchema: { type: 'object' } },
      ],
    }),
  });
  const set = toolset(client, { definitionBudget: 2_000 });
  const found = String(await runTool(await set.tools(), 'find_tools', { query: 'odd' }));
  expect(found).toBe('odd fake_tool: does all: odd');
  await runTool(await set.tools(), 'describe_tool', { name: 'odd fake_tool: does all' });
  expect(namesOf(await set.tools())).toContain(name);
  await set.close();
  await client.close();
});

it('a tool of a server that is named as one of the two gets a prefix', async () => {
  const one = await connect(serverOf('one', ['find_tools']));
  const set = toolset(one, { definitionBudget: 4_000 });
  expect(namesOf(await set.tools())).toEqual(['one__find_tools']);
  await set.close();
  await one.close();
});
