import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../channels/channel.ts';
import { readPrompts, readResources, readTemplates } from './listing.ts';
import { readCompletion, readContents, readPrompt } from './read-results.ts';

function noted<T>(run: (report: (diagnostic: Diagnostic) => void) => T): [T, string[]] {
  const notes: string[] = [];
  return [run(({ message }) => notes.push(message)), notes];
}

describe('a list of resources', () => {
  it('keeps what fits, mends what is odd, and drops alone what cannot be used', () => {
    const resources = [
      { uri: 'a:1', name: 'one', size: 3, future: { x: 1 } },
      { uri: 'a:2', name: 'two', title: 7, mimeType: null, annotations: [], icons: {}, size: '3' },
      { uri: 'a:3' },
      { name: 'no uri' },
      { uri: '', name: 'empty' },
      null,
      'text',
      { uri: 'a:1', name: 'again' },
    ];
    const [read, notes] = noted(report => readResources(report)({ resources }));
    expect(read).toEqual([
      { uri: 'a:1', name: 'one', size: 3, future: { x: 1 } },
      { uri: 'a:2', name: 'two' },
      { uri: 'a:3', name: 'a:3' },
    ]);
    expect(notes).toHaveLength(7);
    expect(notes[0]).toBe(
      'resources/list: the entry "a:2" is used without or with a mended title, icons, mimeType, annotations, size',
    );
    expect(notes.at(-1)).toBe('resources/list: a second entry for "a:1" was dropped');
  });

  it('knows what stood on earlier pages', () => {
    const [read] = noted(report => {
      const page = readTemplates(report);
      const resourceTemplates = [{ uriTemplate: 'a:{b}', name: 'n' }];
      return [page({ resourceTemplates }), page({ resourceTemplates })];
    });
    expect(read).toEqual([[{ uriTemplate: 'a:{b}', name: 'n' }], []]);
  });

  it.each([undefined, null, {}, 'text'])('that is %j counts as empty', prompts => {
    const [read, notes] = noted(report => readPrompts(report)({ prompts }));
    expect(read).toEqual([]);
    expect(notes).toEqual(['prompts/list: the result has no array "prompts"; it counts as empty']);
  });

  it('of prompts goes without arguments that have no names', () => {
    const prompts = [
      { name: 'a', arguments: [{ name: 'x', required: true }] },
      { name: 'b', arguments: [{ title: 'x' }] },
      { name: 'c', arguments: null },
    ];
    const [read] = noted(report => readPrompts(report)({ prompts }));
    expect(read).toEqual([prompts[0], { name: 'b' }, { name: 'c' }]);
  });
});

describe('what a resource holds', () => {
  it.each<[unknown, unknown, number]>([
    [[{ uri: 'b:1', text: 't' }], [{ uri: 'b:1', text: 't' }], 0],
    [
      [{ text: 't' }, { blob: 'AA', uri: 7 }],
      [
        { uri: 'a:1', text: 't' },
        { uri: 'a:1', blob: 'AA' },
      ],
      0,
    ],
    [{ text: 't' }, [{ uri: 'a:1', text: 't' }], 1],
    [['t', null], [], 1],
    [undefined, [], 1],
    [[], [], 0],
  ])('as %j is %j', (contents, expected, notes) => {
    const [read, said] = noted(report => readContents('a:1', { contents }, report));
    expect(read.contents).toEqual(expected);
    expect(said).toHaveLength(notes);
  });
});

describe('what a prompt says', () => {
  const text = (value: string) => ({ type: 'text', text: value });

  it.each<[unknown, unknown]>([
    [[{ role: 'assistant', content: text('a') }], [{ role: 'assistant', content: text('a') }]],
    [
      [{ role: 'user', content: [text('a'), text('b')] }],
      [
        { role: 'user', content: text('a') },
        { role: 'user', content: text('b') },
      ],
    ],
    [
      [{ role: 'system', content: 'a' }, 'b', { role: 'user' }],
      [
        { role: 'user', content: text('a') },
        { role: 'user', content: text('b') },
      ],
    ],
    [
      [{ role: 'user', content: { type: 'video', x: 1 } }],
      [{ role: 'user', content: { type: 'video', x: 1 } }],
    ],
    [undefined, []],
  ])('as %j is %j', (messages, expected) => {
    const [read] = noted(report => readPrompt('p', { messages, description: 7, _meta: { a: 1 } }, report));
    expect(read).toEqual({ messages: expected, _meta: { a: 1 } });
  });
});

describe('suggestions', () => {
  it.each<[unknown, unknown]>([
    [
      { values: ['a', 1, 'b'], total: 9, hasMore: true },
      { values: ['a', 'b'], total: 9, hasMore: true },
    ],
    [
      { values: 'a', total: '9' },
      { values: [], hasMore: false },
    ],
    [undefined, { values: [], hasMore: false }],
  ])('as %j are %j', (completion, expected) => {
    expect(readCompletion({ completion })).toEqual(expected);
  });
});
