import { describe, expect, it } from 'vitest';
import { projectTools } from '../../projection/project-tools.ts';
import { audio, type Content, embed, image, link, text } from '../../tools/content.ts';
import type { AssistantMessage, ModelMessage, ToolCall, ToolMessage } from '../model.ts';
import { toContents as write } from './contents.ts';

const projection = projectTools([], 'gemini');

function toContents(messages: readonly ModelMessage[], takesMedia = true): unknown[] {
  return [...write(messages, { projection, takesMedia })];
}

const says = (content: string): ModelMessage => ({ role: 'user', content });
const calls = (...ids: string[]): AssistantMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map(id => ({ id, name: `tool_${id}`, arguments: '{}' })),
});
const result = (id: string, content: string | readonly Content[], isError = false): ToolMessage => ({
  role: 'tool',
  toolCallId: id,
  toolName: `tool_${id}`,
  content,
  isError,
});
const user = (...parts: object[]): object => ({ role: 'user', parts });
const model = (...parts: object[]): object => ({ role: 'model', parts });
const call = (id: string): object => ({ functionCall: { id, name: `tool_${id}`, args: {} } });
const answer = (id: string, response: object, more: object = {}): object => ({
  functionResponse: { id, name: `tool_${id}`, response, ...more },
});

describe('contents', () => {
  it('are one for whoever speaks several times in a row', () => {
    const assistant = (content: string): ModelMessage => ({ role: 'assistant', content });
    expect(toContents([says('a'), says('b'), assistant('c'), assistant('d'), says('e')])).toEqual([
      user({ text: 'a' }, { text: 'b' }),
      model({ text: 'c' }, { text: 'd' }),
      user({ text: 'e' }),
    ]);
  });

  it('answer calls in the order of the calls, whatever the order of the results', () => {
    expect(
      toContents([says('x'), calls('1', '2'), result('2', 'two'), result('1', 'one', true), says('y')]),
    ).toEqual([
      user({ text: 'x' }),
      model(call('1'), call('2')),
      user(answer('1', { error: 'one' }), answer('2', { output: 'two' })),
      user({ text: 'y' }),
    ]);
  });

  it('answer a call whose result is missing or comes too late, and keep the late result as text', () => {
    expect(toContents([says('x'), calls('1'), calls('2'), result('2', 'two'), result('1', 'late')])).toEqual([
      user({ text: 'x' }),
      model(call('1')),
      user(answer('1', { error: 'This call was not answered.' })),
      model(call('2')),
      user(answer('2', { output: 'two' })),
      user({ text: '[result of tool_1, whose call is not shown]\nlate' }),
    ]);
  });

  it('tell calls apart that have the same id, in one turn and in several', () => {
    const turn = [calls('1', '1'), result('1', 'a'), result('1', 'b')];
    expect(toContents([says('x'), ...turn, calls('1'), result('1', 'c')]).slice(1)).toEqual([
      model(call('1'), call('1')),
      user(answer('1', { output: 'a' }), answer('1', { output: 'b' })),
      model(call('1')),
      user(answer('1', { output: 'c' })),
    ]);
  });

  it('begin with a user, and leave out whoever said nothing', () => {
    const silence = user({ text: '(no message)' });
    expect(toContents([])).toEqual([silence]);
    expect(toContents([says(''), { role: 'assistant', content: 'a' }, says('')])).toEqual([
      silence,
      model({ text: 'a' }),
    ]);
  });

  it.each([
    ['', {}],
    ['{"a":1}', { a: 1 }],
    ['{"a"', { malformed: '{"a"' }],
    ['[1]', { malformed: '[1]' }],
  ])('send the arguments %j back as an object', (raw, args) => {
    const toolCalls = [{ id: '', name: 't', arguments: raw }];
    expect(toContents([says('x'), { role: 'assistant', content: 'c', toolCalls }])[1]).toEqual(
      model({ text: 'c' }, { functionCall: { name: 't', args } }),
    );
  });
});

const data = 'AAAA';
const png = 'iVBORw0KGgoAAAANSUhEUg==';
const jpeg = '/9j/4AAQSkZJRg==';
const gif = 'R0lGODlh';
const pdf = 'JVBERi0xLjQ=';
const blocks = [
  text('look'),
  text(''),
  image(png, 'image/png'),
  image(jpeg, 'image/jpg'),
  image(gif, 'image/gif'),
  image('', 'image/png'),
  audio(data, 'audio/wav; rate=8000'),
  embed({ uri: 'file:///a.pdf', blob: pdf, mimeType: 'application/pdf' }),
  embed({ uri: 'file:///b.zip', blob: data, mimeType: 'application/zip' }),
  embed({ uri: 'file:///c.txt', text: 'inside' }),
  link('file:///d', 'd'),
];
const blob = (mimeType: string, given: string): object => ({ inlineData: { mimeType, data: given } });

describe('content that is no text', () => {
  it('is data in prompts where the API reads it, and a line where not', () => {
    expect(toContents([{ role: 'user', content: blocks }])).toEqual([
      user(
        { text: 'look' },
        blob('image/png', png),
        blob('image/jpeg', jpeg),
        { text: '[image, image/gif, 6 bytes: not shown]' },
        { text: '[image, image/png, 0 bytes: not shown]' },
        blob('audio/wav', data),
        blob('application/pdf', pdf),
        { text: '[resource file:///b.zip, application/zip, 3 bytes: not shown]' },
        { text: '[resource file:///c.txt]\ninside' },
        { text: '[resource file:///d: d]' },
      ),
    ]);
  });

  it('is data in a tool result where the model takes it there, and a line with its handle where not', () => {
    const [, , answers] = toContents([says('x'), calls('1'), result('1', blocks)]);
    const output = [
      'look',
      '',
      '[image, image/png: artifact 1#2]',
      '[image, image/jpeg: artifact 1#3]',
      '[image, image/gif, 6 bytes: not shown, artifact 1#4]',
      '[image, image/png, 0 bytes: not shown, artifact 1#5]',
      '[audio, audio/wav; rate=8000, 3 bytes: not shown, artifact 1#6]',
      '[file, application/pdf: artifact 1#7]',
      '[resource file:///b.zip, application/zip, 3 bytes: not shown, artifact 1#8]',
      '[resource file:///c.txt]\ninside',
      '[resource file:///d: d]',
    ].join('\n');
    const parts = [blob('image/png', png), blob('image/jpeg', jpeg), blob('application/pdf', pdf)];
    expect(answers).toEqual(user(answer('1', { output }, { parts })));
  });

  it('is a line in a tool result for a model that takes none there', () => {
    const [, , answers] = toContents([says('x'), calls('1'), result('1', blocks)], false);
    expect(JSON.stringify(answers)).toContain('[image, image/png, 16 bytes: not shown, artifact 1#2]');
    expect(JSON.stringify(answers)).not.toContain(png);
  });
});

describe('a turn that the model wants back', () => {
  const items = [
    { text: 'thinking', thought: true },
    { text: 'I ' },
    { text: 'look', thoughtSignature: 'c2ln' },
    { functionCall: { name: 'tool_1', args: { a: 1 } }, thoughtSignature: 'c2lo' },
    { functionCall: { id: 'theirs', name: 'tool_2', args: {} } },
  ];
  const turn = (more: Partial<AssistantMessage> = {}): AssistantMessage => ({
    ...calls('1', '2'),
    toolCalls: [
      { id: '1', name: 'tool_1', arguments: '{ "a": 1 }' },
      { id: '2', name: 'tool_2', arguments: '' },
    ],
    content: 'I look',
    replay: { provider: 'gemini', items },
    ...more,
  });
  const results = [result('2', 'two'), result('1', 'one')];
  const written = ({ id, name, arguments: raw }: ToolCall): object => ({
    functionCall: { id, name, args: JSON.parse(raw || '{}') as unknown },
  });

  it('goes back word for word, and its answers carry the ids that it has', () => {
    const history = JSON.parse(JSON.stringify([says('x'), turn(), ...results])) as ModelMessage[];
    expect(toContents(history).slice(1)).toEqual([
      model(...items),
      user(
        { functionResponse: { name: 'tool_1', response: { output: 'one' } } },
        { functionResponse: { id: 'theirs', name: 'tool_2', response: { output: 'two' } } },
      ),
    ]);
  });

  it.each([
    ['is another provider’s', { replay: { provider: 'anthropic', items } }],
    ['makes other calls', calls('2', '1')],
    ['makes fewer calls', { replay: { provider: 'gemini', items: items.slice(0, 4) } }],
    ['calls with other arguments', calls('1', '2')],
    ['says something else', { ...calls('1', '2'), content: 'I look.' }],
    ['is no list', { replay: { provider: 'gemini', items: 'I look' as unknown as unknown[] } }],
    ['is no list of parts', { replay: { provider: 'gemini', items: ['I look', null, {}] } }],
  ])('is written anew from the message when the replay %s', (_, more) => {
    const message = turn(more);
    const [, content] = toContents([says('x'), message, ...results]) as { parts: unknown[] }[];
    expect(content?.parts).toEqual(
      [{ text: message.content }, ...(message.toolCalls ?? []).map(written)].filter(
        part => !('text' in part) || part.text !== '',
      ),
    );
  });
});
