import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { image, text } from '../../tools/content.ts';
import type { ModelMessage, ToolCall } from '../model.ts';
import { picture } from './fixtures/replies.ts';
import type { Turn } from './request.ts';
import { toTurns as write } from './turns.ts';

const toTurns = (messages: readonly ModelMessage[]): readonly Turn[] =>
  write(messages, projectTools([], 'anthropic'));
const call = (id: string, raw: string): ToolCall => ({ id, name: 't', arguments: raw });

const ids = fc.constantFrom('1', '2', 'f.x:0', 'f_x_0', '', 'ü');
const words = fc.constantFrom('', ' ', '\n', 'a', 'b ', ' c');
const calls = fc.array(
  fc.record({
    id: ids,
    name: fc.constantFrom('t', 'u.v'),
    arguments: fc.constantFrom('', '{"a":1}', '[1', 'null'),
  }),
  { maxLength: 3 },
);
const content = fc.oneof(
  words,
  fc.array(
    fc.oneof(
      words.map(value => text(value)),
      fc.constantFrom(image(picture, 'image/png'), image('AAAA', 'image/bmp')),
    ),
    { maxLength: 3 },
  ),
);
const replays = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('thinking'), thinking: words, signature: fc.constantFrom('', 'c2ln') }),
    fc.record({ type: fc.constant('redacted_thinking'), data: fc.constant('c2VhbA==') }),
    fc.record({ type: fc.constant('text'), text: words }),
    fc.record({
      type: fc.constant('tool_use'),
      id: ids,
      name: fc.constant('t'),
      input: fc.constant({ a: 1 }),
    }),
  ),
  { maxLength: 4 },
);
type Block = Readonly<Record<string, string>>;
/** As a turn of this provider is kept. */
const replayed = replays.map((items): ModelMessage => {
  const blocks = items as unknown as readonly Block[];
  return {
    role: 'assistant',
    content: blocks.map(({ text: value = '' }) => value).join(''),
    toolCalls: blocks.flatMap(({ type, id = '' }) => (type === 'tool_use' ? [call(id, '{"a":1}')] : [])),
    replay: { provider: 'anthropic', items },
  };
});
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), content: words }),
  fc.record({ role: fc.constant('user' as const), content }),
  fc.record({ role: fc.constant('assistant' as const), content: words, toolCalls: calls }),
  replayed,
  fc.record({
    role: fc.constant('tool' as const),
    toolCallId: ids,
    toolName: fc.constant('t'),
    content,
    isError: fc.boolean(),
  }),
);

type Loose = { readonly type: string } & Readonly<Record<string, unknown>>;
const loose = ({ content: blocks }: Turn): readonly Loose[] => blocks as unknown as readonly Loose[];
const idsOf = (blocks: readonly Loose[], type: string, member: string): unknown[] =>
  blocks.filter(block => block.type === type).map(block => block[member]);

const textsIn = ({ text: value, content: inner }: Loose): unknown[] => [
  ...(value === undefined ? [] : [value]),
  ...((inner as Loose[] | undefined) ?? []).flatMap(textsIn),
];

/** What the API refuses in a list of turns, as sentences. */
function complaints(turns: readonly Turn[]): string[] {
  const found: string[] = [];
  if (turns[0]?.role !== 'user') found.push('the first turn is not of a user');
  for (const [at, turn] of turns.entries()) {
    const blocks = loose(turn);
    if (blocks.length === 0) found.push(`turn ${at} is empty`);
    if (turn.role === turns[at - 1]?.role) found.push(`turn ${at} is of the same role as the one before`);
    for (const block of [
      ...blocks,
      ...blocks.flatMap(({ content: inner }) => (inner as Loose[] | undefined) ?? []),
    ]) {
      if (block.type === 'text' && String(block['text']).trim() === '')
        found.push(`turn ${at} has blank text`);
      if (block.type === 'thinking' && block['signature'] === '')
        found.push(`turn ${at} has an unsigned thought`);
    }
    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    const before = turns[at - 1];
    const asked = before === undefined ? [] : idsOf(loose(before), 'tool_use', 'id');
    if (JSON.stringify(results) !== JSON.stringify(asked))
      found.push(`turn ${at} does not answer the calls before it`);
    const late = blocks.slice(results.length).some(({ type }) => type === 'tool_result');
    if (late) found.push(`turn ${at} has a result after something else`);
    for (const { type, is_error: failed, content: inner } of blocks) {
      if (type !== 'tool_result') continue;
      const parts = inner as readonly Loose[];
      if (failed === true && parts.some(part => part.type !== 'text'))
        found.push(`turn ${at} has a failure with a picture`);
    }
    if (turn.role === 'assistant' && /thinking/.test(blocks.at(-1)?.type ?? ''))
      found.push(`turn ${at} ends in a thought`);
  }
  const last = turns.at(-1);
  const end = last === undefined ? undefined : loose(last).at(-1);
  if (last?.role === 'assistant' && /\s$/.test(String(end?.['text'] ?? ''))) found.push('it ends in a blank');
  if (end?.type === 'tool_use') found.push('it ends in a call');
  const all = turns.flatMap(turn => idsOf(loose(turn), 'tool_use', 'id')).map(String);
  if (new Set(all).size !== all.length) found.push('two calls share an id');
  if (!all.every(id => /^[a-zA-Z0-9_-]+$/.test(id))) found.push('an id has signs that the API does not take');
  return found;
}

it('the rules are heard: turns that break them are found', () => {
  const broken: Turn[] = [
    { role: 'assistant', content: [{ type: 'text', text: ' ' }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a.b', name: 't', input: {} }] },
    { role: 'user', content: [] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] },
  ];
  expect(complaints(broken)).toEqual([
    'the first turn is not of a user',
    'turn 0 has blank text',
    'turn 1 is of the same role as the one before',
    'turn 2 is empty',
    'turn 2 does not answer the calls before it',
    'turn 3 ends in a thought',
    'an id has signs that the API does not take',
  ]);
});

it('any conversation keeps the rules of the API, and loses no word and no result', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), messages => {
      const turns = toTurns(messages);
      expect(complaints(turns)).toEqual([]);
      const sent = turns.flatMap(loose).flatMap(textsIn).join('').replace(/\s/g, '');
      for (const { role, content: given } of messages) {
        if (role === 'system' || typeof given !== 'string' || given.trim() === '') continue;
        expect(sent).toContain(given.replace(/\s/g, ''));
      }
      const shown = messages.filter(({ role }) => role === 'tool').length;
      const answered = turns
        .flatMap(loose)
        .filter(
          ({ type, text: value, content: inner }) =>
            (type === 'tool_result' && !JSON.stringify(inner).includes('There is no result')) ||
            (type === 'text' && value === '[result of t]'),
        ).length;
      expect(answered).toBe(shown);
    }),
    { numRuns: 500 },
  );
});
