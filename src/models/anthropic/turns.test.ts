import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { image, text } from '../../tools/content.ts';
import type { AssistantMessage, ModelMessage, Replay } from '../model.ts';
import { picture } from './fixtures/replies.ts';
import type { Turn } from './request.ts';
import { toTurns as write } from './turns.ts';

const toTurns = (messages: readonly ModelMessage[]): readonly Turn[] =>
  write(messages, projectTools([], 'anthropic'));

const user = (content: string): ModelMessage => ({ role: 'user', content });
const call = (id: string, raw = '{}'): { id: string; name: string; arguments: string } => ({
  id,
  name: 't',
  arguments: raw,
});
const model = (content: string, ...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  content,
  ...(ids.length === 0 ? {} : { toolCalls: ids.map(id => call(id)) }),
});
const result = (toolCallId: string, content = `r${toolCallId}`): ModelMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 't',
  content,
});
const said = (words: string): object => ({ type: 'text', text: words });
const used = (id: string, input: object = {}): object => ({ type: 'tool_use', id, name: 't', input });
const got = (id: string, words: string): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content: [said(words)],
});
const missing = (id: string): object => ({
  ...got(id, '[There is no result of this call.]'),
  is_error: true,
});

describe('messages become turns that take turns', () => {
  it.each<[string, ModelMessage[], [string, object[]][]]>([
    ['nobody spoke', [], [['user', [said('Go on.')]]]],
    ['a system message is no turn', [{ role: 'system', content: 's' }, user('a')], [['user', [said('a')]]]],
    [
      'a model that spoke first',
      [model('a'), user('b')],
      [
        ['user', [said('Go on.')]],
        ['assistant', [said('a')]],
        ['user', [said('b')]],
      ],
    ],
    [
      'the same one twice, and blanks between',
      [user('a'), user(' '), user('b'), model(''), user('c'), model('d'), user('\n'), model('e'), user('f')],
      [
        ['user', [said('a'), said('b'), said('c')]],
        ['assistant', [said('d'), said('e')]],
        ['user', [said('f')]],
      ],
    ],
    [
      'results of calls side by side come first, in one turn, in the order of the calls',
      [user('a'), model('b', '1', '2'), result('2'), user('c'), result('1')],
      [
        ['user', [said('a')]],
        ['assistant', [said('b'), used('1'), used('2')]],
        ['user', [got('1', 'r1'), got('2', 'r2'), said('c')]],
      ],
    ],
    [
      'a call without a result',
      [user('a'), model('', '1', '2'), result('1'), model('b'), user('c')],
      [
        ['user', [said('a')]],
        ['assistant', [used('1'), used('2')]],
        ['user', [got('1', 'r1'), missing('2')]],
        ['assistant', [said('b')]],
        ['user', [said('c')]],
      ],
    ],
    [
      'a call at the end',
      [user('a'), model('', '1')],
      [
        ['user', [said('a')]],
        ['assistant', [used('1')]],
        ['user', [missing('1')]],
      ],
    ],
    [
      'a result without a call, and one that came twice',
      [user('a'), result('9'), model('', '1'), result('1'), result('1', 'again')],
      [
        ['user', [said('a'), said('[result of t]'), said('r9')]],
        ['assistant', [used('1')]],
        ['user', [got('1', 'r1'), said('[result of t]'), said('again')]],
      ],
    ],
    [
      'ids that the API does not take, and ids that come again',
      [
        user('a'),
        model('', 'f.x:0', 'f.x:0'),
        result('f.x:0', 'p'),
        result('f.x:0', 'q'),
        model('', 'f_x_0', ''),
        result('f_x_0', 'r'),
        result('', 's'),
      ],
      [
        ['user', [said('a')]],
        ['assistant', [used('f_x_0'), used('f_x_0_2')]],
        ['user', [got('f_x_0', 'p'), got('f_x_0_2', 'q')]],
        ['assistant', [used('f_x_0_3'), used('call')]],
        ['user', [got('f_x_0_3', 'r'), got('call', 's')]],
      ],
    ],
    [
      'what the model is to go on with does not end in a blank',
      [user('a'), model('b '), user('c'), model('so: \n')],
      [
        ['user', [said('a')]],
        ['assistant', [said('b ')]],
        ['user', [said('c')]],
        ['assistant', [said('so:')]],
      ],
    ],
  ])('%s', (_what, messages, turns) => {
    expect(toTurns(messages).map(({ role, content }) => [role, content])).toEqual(turns);
  });

  it('shows pictures of users', () => {
    const [turn] = toTurns([{ role: 'user', content: [text('look'), image(picture, 'image/png')] }]);
    expect(turn?.content).toMatchObject([{ type: 'text' }, { type: 'image' }]);
  });

  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a"', { malformed: '{"a"' }],
    ['[1]', { malformed: '[1]' }],
  ])('arguments are an object, whatever the model wrote: %j', (raw, input) => {
    const turns = toTurns([user('a'), { role: 'assistant', content: '', toolCalls: [call('1', raw)] }]);
    expect(turns[1]?.content).toEqual([used('1', input)]);
  });
});

describe('a turn that is replayed', () => {
  const thought = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
  const items = [thought, said('b'), used('1')];
  const replay: Replay = { provider: 'anthropic', items };
  const turnOf = (message: AssistantMessage): unknown =>
    toTurns([user('a'), message, result('1')])[1]?.content;

  it('is sent as it came', () => {
    expect(turnOf({ ...model('b', '1'), replay })).toEqual(items);
  });
  it('keeps kinds of blocks that are not known here', () => {
    const more = [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, ...items];
    expect(turnOf({ ...model('b', '1'), replay: { provider: 'anthropic', items: more } })).toEqual(more);
  });
  it.each<[string, AssistantMessage]>([
    ['of another provider', { ...model('b', '1'), replay: { ...replay, provider: 'gemini' } }],
    ['whose text was changed since', { ...model('other', '1'), replay }],
    ['whose calls were changed since', { ...model('b', '2'), replay }],
    ['whose arguments were changed since', { ...model('b'), toolCalls: [call('1', '{"a":1}')], replay }],
    [
      'that is odd',
      { ...model('b', '1'), replay: { provider: 'anthropic', items: 'x' } as unknown as Replay },
    ],
    ['of odd items', { ...model('b', '1'), replay: { provider: 'anthropic', items: [null, 3, {}] } }],
  ])('%s is built from the message', (_what, message) => {
    const { content, toolCalls = [] } = message;
    expect(turnOf(message)).toEqual([
      said(content),
      ...toolCalls.map(({ id, arguments: raw }) => used(id, JSON.parse(raw) as object)),
    ]);
  });
  it('comes without blanks and thoughts that are not signed, and does not end in a thought', () => {
    const unsigned = { type: 'thinking', thinking: 'x', signature: '' };
    const odd = [thought, said('\n\n'), said('b'), unsigned, used('1'), thought];
    expect(turnOf({ ...model('\n\nb', '1'), replay: { provider: 'anthropic', items: odd } })).toEqual(items);
  });
  it('of thoughts alone is none', () => {
    const turns = toTurns([user('a'), { ...model(''), replay: { provider: 'anthropic', items: [thought] } }]);
    expect(turns).toEqual([{ role: 'user', content: [said('a')] }]);
  });
  it('whose ids were sent already is built from the message', () => {
    const again = { ...model('b', '1'), replay };
    const turns = toTurns([user('a'), again, result('1'), again, result('1')]);
    expect(turns[1]?.content).toEqual(items);
    expect(turns[3]?.content).toEqual([said('b'), used('1_2')]);
  });
});
