import { describe, expect, it } from 'vitest';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import { Agent } from '../agent.ts';
import type { RunEvent } from '../events.ts';

const seen: unknown[] = [];
const find = tool({
  name: 'find',
  description: '',
  input: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      limit: { type: 'integer' },
      tags: { type: 'array', items: { type: 'string' } },
      where: { type: 'object', properties: { city: { type: 'string' } } },
    },
    additionalProperties: false,
  },
  run: args => {
    seen.push(args);
    return 'found';
  },
});

async function call(args: unknown, options: { readonly tidyArguments?: boolean } = {}) {
  seen.length = 0;
  const events: RunEvent[] = [];
  const model = scripted([{ toolCalls: [{ name: 'find', arguments: args }] }, 'done']);
  const agent = new Agent({ model, tools: [find], ...options, onEvent: event => events.push(event) });
  const { messages } = await agent.run('go');
  const notes = events.flatMap(event => (event.type === 'note' ? [event] : []));
  return { seen: [...seen], notes, read: messages[2]?.content };
}

describe('arguments that a model wrote with a slip', () => {
  it.each([
    ['null for one that may be left out', { query: 'x', limit: null }, { query: 'x' }],
    ['blank text for one that is no text', { query: 'x', limit: '' }, { query: 'x' }],
    ['"null" for a list', { query: 'x', tags: 'null' }, { query: 'x' }],
    ['an object as JSON text', { where: '{"city":"Oslo"}' }, { where: { city: 'Oslo' } }],
    ['a list as JSON text', { tags: '["a"]' }, { tags: ['a'] }],
    ['all of them as JSON text', '"{\\"query\\":\\"x\\"}"', { query: 'x' }],
  ])('are mended and told of: %s', async (_, given, expected) => {
    const { seen, notes, read } = await call(given);
    expect(seen).toEqual([expected]);
    expect(notes).toMatchObject([{ code: 'arguments-tidied', turn: 1 }]);
    expect(notes[0]?.message).toContain('arguments of tool "find"');
    expect(read).toBe('found');
  });
  it('are left alone where the schema allows them', async () => {
    const { seen, notes } = await call({ query: '{"a":1}' });
    expect(seen).toEqual([{ query: '{"a":1}' }]);
    expect(notes).toEqual([]);
  });
  it.each([{ query: 'x', limit: null }, { tags: '["a"]' }])(
    'are refused when nothing is to be mended: %j',
    async given => {
      const { seen, notes, read } = await call(given, { tidyArguments: false });
      expect(seen).toEqual([]);
      expect(notes).toEqual([]);
      expect(read).toMatch(/do not fit its schema/);
    },
  );
});

describe('arguments', () => {
  it.each([
    ['nothing at all', ''],
    ['null', 'null'],
  ])('that are %s are none, mended or not', async (_, given) => {
    expect((await call(given)).seen).toEqual([{}]);
    expect((await call(given, { tidyArguments: false })).seen).toEqual([{}]);
  });
  it('with a name that the tool does not know are refused with the one that was meant', async () => {
    const { seen, read } = await call({ qurey: 'x' });
    expect(seen).toEqual([]);
    expect(read).toContain('did you mean "query"');
  });
});
