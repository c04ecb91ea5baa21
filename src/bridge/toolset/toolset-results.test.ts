import { describe, expect, it } from 'vitest';
import { plainClient } from '../../../test/fixtures/plain-server.ts';
import { Agent } from '../../agent/agent.ts';
import { type Client, connect } from '../../client/client.ts';
import { scripted } from '../../testing/scripted.ts';
import { toToolResult } from '../../tools/result.ts';
import { tool } from '../../tools/tool.ts';
import { errorDataKey } from '../../tools/tool-error.ts';
import {
  clientOf,
  listen,
  namesOf,
  plainTool,
  runTool,
  serverOf,
  textOf,
} from './fixtures/toolset-servers.ts';
import type { DroppedTool } from './served-tool.ts';
import { toolset } from './toolset.ts';

const listed = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };

/** What the bridged tool gives when the server answers a call with `result`. */
async function bridged(result: object) {
  const { client } = await plainClient({ 'tools/list': () => listed, 'tools/call': () => result });
  const set = toolset(client);
  const given = await runTool(await set.tools(), 'look');
  await set.close();
  await client.close();
  return given;
}

const blocks = [
  { type: 'text', text: 'first', annotations: { audience: ['user'], priority: 0.1 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'file:///a.pdf', name: 'a.pdf', mimeType: 'application/pdf', size: 3 },
  { type: 'resource', resource: { uri: 'file:///b', text: 'inside b' } },
  { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA' }, _meta: { page: 1 } },
  { type: 'hologram', beams: [1, { deep: true }] },
];

describe('the result of a bridged tool', () => {
  it('has every block as the server gave it, kinds that nobody knows too', async () => {
    const given = await bridged({ content: blocks, structuredContent: { n: 1 }, _meta: { k: 'v' } });
    expect(given).toEqual({
      content: blocks,
      structuredContent: { n: 1 },
      isError: false,
      _meta: { k: 'v' },
    });
    // What runs tools takes it as a result, and not as data that looks like one.
    expect(toToolResult(given, false)).toBe(given);
  });

  it.each([
    [
      'data without content',
      { structuredContent: { n: 1 } },
      { content: [], structuredContent: { n: 1 }, isError: false },
    ],
    ['nothing', {}, { content: [], isError: false }],
    ['a text alone', { content: 'hi' }, { content: [{ type: 'text', text: 'hi' }], isError: false }],
    [
      'a failure with data and content',
      { content: [{ type: 'text', text: 'no' }], structuredContent: { code: 7 }, isError: true },
      { content: [{ type: 'text', text: 'no' }], structuredContent: { code: 7 }, isError: true },
    ],
    [
      'a failure with data only',
      { structuredContent: { code: 7 }, isError: true },
      { content: [], structuredContent: { code: 7 }, isError: true },
    ],
    [
      'a failure with content only',
      { content: [{ type: 'text', text: 'no' }], isError: true },
      { content: [{ type: 'text', text: 'no' }], isError: true },
    ],
    [
      'a failure without a word',
      { content: [{ type: 'text', text: ' ' }], isError: true },
      { content: [{ type: 'text', text: 'The tool look failed and does not say why.' }], isError: true },
    ],
  ])('is, for %s, exactly that', async (_what, result, given) => {
    expect(await bridged(result)).toEqual(given);
  });

  it('of a failure whose data does not fit the output schema has it all the same', async () => {
    const meta = { [errorDataKey]: { there: 3 } };
    const given = await bridged({ content: [], isError: true, _meta: meta });
    expect(given).toMatchObject({ structuredContent: { there: 3 }, isError: true });
    expect(await bridged({ content: [], _meta: meta })).not.toHaveProperty('structuredContent');
  });

  it('passes progress on', async () => {
    const slow = tool({
      name: 'slow',
      description: '',
      run(_args, ctx) {
        ctx.progress(1, { total: 2, message: 'half' });
        return 'x';
      },
    });
    const client = await clientOf('one', [slow]);
    const set = toolset(client);
    const told: unknown[] = [];
    await runTool(await set.tools(), 'slow', {}, { progress: (...all) => told.push(all) });
    expect(told).toEqual([[1, { total: 2, message: 'half' }]]);
    await set.close();
    await client.close();
  });
});

describe('what is broken', () => {
  it('is one tool among fifty, one server among three, one kind of content: all else works and each is named', async () => {
    const fifty = Array.from({ length: 50 }, (_, index) => ({
      name: `tool_${index}`,
      inputSchema: {
        type: 'object',
        ...(index === 17 ? { properties: { a: { $ref: '#/$defs/gone' } } } : {}),
      },
    }));
    const { client: plain } = await plainClient({
      'tools/list': () => ({ tools: fifty }),
      'tools/call': ({ params }) => ({
        content: [
          { type: 'text', text: `from ${String(params['name'])}` },
          { type: 'hologram', beams: 3 },
        ],
      }),
    });
    const good = await clientOf('good', ['extra']);
    const dead = (): Promise<Client> => Promise.reject(new Error('connection refused'));
    const { onEvent, events } = listen();
    const drops: DroppedTool[] = [];
    const set = toolset({ plain, dead, good }, { onEvent, onDrop: drop => drops.push(drop) });
    const model = scripted([{ toolCalls: [{ name: 'tool_3' }, { name: 'extra' }] }, 'done']);
    const { output, messages } = await new Agent({ model, tools: set }).run('go');
    expect(output).toBe('done');
    expect(model.requests[0]?.tools).toHaveLength(50);
    const shown = JSON.stringify(messages.filter(({ role }) => role === 'tool'));
    expect(shown).toContain('from tool_3');
    expect(shown).toContain('hologram');
    expect(shown).toContain('good:extra');
    expect(drops).toEqual([
      { server: 'plain', tool: 'tool_17', reason: expect.stringContaining('#/$defs/gone') },
    ]);
    expect(set.dropped()).toEqual(drops);
    expect(set.servers()).toMatchObject([
      { key: 'plain', state: 'ready', tools: 49 },
      { key: 'dead', state: 'failed', error: { message: 'connection refused' } },
      { key: 'good', state: 'ready', tools: 1 },
    ]);
    // Told once, however often the lists are read.
    await set.refresh();
    expect(drops).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'drop')).toHaveLength(1);
    await set.close();
    await Promise.all([plain.close(), good.close()]);
  });

  it.each([
    ['no schema at all', {}, true],
    ['nothing but a dialect', { inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } }, true],
    ['a schema of a string', { inputSchema: { type: 'string' } }, true],
    [
      'an output schema with a reference to nowhere',
      {
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object', properties: { a: { $ref: 'https://nowhere.example/x' } } },
      },
      true,
    ],
    ['a reference to nowhere', { inputSchema: { type: 'object', $ref: '#/$defs/gone' } }, false],
    [
      'a pattern that is none',
      { inputSchema: { type: 'object', properties: { a: { pattern: '(' } } } },
      false,
    ],
  ])('is repaired or left out alone: a tool with %s', async (_what, odd, isUsed) => {
    const { client } = await plainClient({
      'tools/list': () => ({ tools: [{ name: 'odd', ...odd }, ...listed.tools] }),
      'tools/call': () => ({ content: [], structuredContent: { a: 1 } }),
    });
    const set = toolset(client);
    const tools = await set.tools();
    expect(namesOf(tools)).toEqual(isUsed ? ['odd', 'look'] : ['look']);
    expect(set.dropped().map(({ tool: name }) => name)).toEqual(isUsed ? [] : ['odd']);
    for (const name of namesOf(tools)) {
      expect(await runTool(tools, name)).toMatchObject({ structuredContent: { a: 1 } });
    }
    await set.close();
    await client.close();
  });

  it('is a question to a host that answers none: that call fails with the reason, and the next works', async () => {
    const asking = tool({
      name: 'asking',
      description: '',
      async run(_args, ctx) {
        const question = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } } as const;
        return (await ctx.elicit('sure', question)).action;
      },
    });
    const client = await connect(serverOf('one', [asking, plainTool('fine')]));
    const set = toolset(client);
    const tools = await set.tools();
    const outcome = await runTool(tools, 'asking').then(
      result => ({ failed: result.isError === true, said: textOf(result) }),
      (error: unknown) => ({ failed: true, said: String(error) }),
    );
    expect(outcome).toMatchObject({ failed: true, said: expect.stringMatching(/elicit/i) });
    expect(textOf(await runTool(tools, 'fine'))).toBe('fine');
    await set.close();
    await client.close();
  });
});
