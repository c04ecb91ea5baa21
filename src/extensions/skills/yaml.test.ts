import { describe, expect, it } from 'vitest';
import { readYaml } from './yaml.ts';

describe('front matter as YAML', () => {
  it.each<[sentence: string, text: string, value: unknown]>([
    ['mappings of plain text', 'name: a-b\nnote: b c, d\n', { name: 'a-b', note: 'b c, d' }],
    [
      'values of the core schema',
      'a: 1.0\nb: true\nc: ~\nd: 0x1F\ne: yes\nf: .5',
      { a: 1, b: true, c: null, d: 31, e: 'yes', f: 0.5 },
    ],
    [
      'dates and versions as text',
      'day: 2026-07-28\nversion: 1.2.3',
      { day: '2026-07-28', version: '1.2.3' },
    ],
    ['quotes and escapes', String.raw`a: "b: c\n\u00e9"`, { a: 'b: c\né' }],
    ['blocks of text', 'a: |\n  one\n   two\nb: >-\n  x\n  y\n', { a: 'one\n two\n', b: 'x y' }],
    ['lists and mappings in each other', 'a:\n- x\n- y: [1, {z: 2}]\n', { a: ['x', { y: [1, { z: 2 }] }] }],
    ['comments, and what only looks like one', '# c\na: x # y\nb: c#d\n', { a: 'x', b: 'c#d' }],
    ['colons within words', 'tools: Bash(git:*) Read', { tools: 'Bash(git:*) Read' }],
    ['a key that objects have already', '__proto__: 1', JSON.parse('{"__proto__":1}')],
    ['lines that end as on Windows', 'a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
    ['nothing at all', '\n# only this\n', null],
  ])('reads %s', async (_sentence, text, value) => {
    expect(await readYaml(text)).toEqual(value);
  });

  it.each<[sentence: string, text: string, why: RegExp]>([
    [
      'plain text with a colon and a space',
      'a: 1\nb: use it: often',
      /^Nested mappings .* line 2, column 4$/,
    ],
    ['a key given twice', 'a: 1\na: 2', /^Map keys must be unique at line 2, column 1$/],
    ['tabs for indentation', 'a:\n\tb: 1', /^Tabs .* line 2/],
    ['a bracket that does not close', 'a: [1, 2', /line 1/],
    ['quotes that do not close', 'a: "x', /line 1/],
    ['a second document', 'a: 1\n---\nb: 2', /multiple documents/],
    ['aliases', 'a: &x 1\nb: *x', /Alias/],
    ['keys that are no text', '? [a]\n: 1', /keys must be strings/],
    ['bytes', 'a: !!binary aGk=', /JSON cannot hold/],
    ['numbers without end', 'a: [.inf]', /^Infinity is no number of JSON$/],
    ['no numbers', 'a: .nan', /^NaN is no number of JSON$/],
    ['nesting without end', `a: ${'['.repeat(40)}${']'.repeat(40)}`, /^it is nested more than 32 deep$/],
  ])('refuses %s', async (_sentence, text, why) => {
    await expect(readYaml(text)).rejects.toThrow(why);
  });

  it.each([' ', '[', '{a: ', '- ', 'a: ', '"', '\n', '#', ': ', '? ', '*a '])(
    'comes to an end with a long line of %j',
    async piece => {
      const end = await readYaml(`a: x${piece.repeat(16_000 / piece.length)}b`).catch(
        (error: unknown) => error,
      );
      expect(end).toBeInstanceOf(Object);
    },
  );
});
