import { describe, expect, it } from 'vitest';
import { readYaml } from './yaml.ts';
import { YamlError } from './yaml-error.ts';

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
    ['quotes of both kinds', `a: "b: c"\nd: 'it''s'\n"q k": ""`, { a: 'b: c', d: "it's", 'q k': '' }],
    ['escapes', String.raw`a: "x\n\u00e9\t\x41\"\\"`, { a: 'x\né\tA"\\' }],
    ['an escaped line break', 'a: "x \\\n   y"', { a: 'x y' }],
    ['text over several lines', 'a: one\n  two\n\n  three\nb: "x\n  y"', { a: 'one two\nthree', b: 'x y' }],
    [
      'blocks as they are',
      'a: |\n  one\n   two\n\nb: |-\n  x\nc: |+\n  y\n\n',
      { a: 'one\n two\n', b: 'x', c: 'y\n\n' },
    ],
    [
      'folded blocks',
      'a: >\n  one\n  two\n\n  three\n    four\n  five\n',
      { a: 'one two\nthree\n  four\nfive\n' },
    ],
    ['a block with its indentation said', 'a: |2\n   x\n  y\n', { a: ' x\ny\n' }],
    ['mappings in mappings', 'a:\n  b:\n    c: 1\n  d: 2\ne:', { a: { b: { c: 1 }, d: 2 }, e: null }],
    [
      'lists, also at the indentation of their key',
      'a:\n- x\n- y: 1\n  z: 2\n-   - p\n    - q\n',
      { a: ['x', { y: 1, z: 2 }, ['p', 'q']] },
    ],
    [
      'brackets and braces',
      'a: [x, "y", {b: c, d: 1}, ] # end\ne: {f: 1,\n  g: [h,\n i] }',
      { a: ['x', 'y', { b: 'c', d: 1 }], e: { f: 1, g: ['h', 'i'] } },
    ],
    ['comments, and what only looks like one', '# c\na: x # y\nb: c#d\n  # z\n', { a: 'x', b: 'c#d' }],
    [
      'colons within words',
      'tools: Bash(git:*) Read\nurl: https://x.y/z',
      { tools: 'Bash(git:*) Read', url: 'https://x.y/z' },
    ],
    ['a key that objects have already', '__proto__: 1', JSON.parse('{"__proto__":1}')],
    ['nothing at all', '\n# only this\n', null],
  ])('reads %s', (_sentence, text, value) => {
    expect(readYaml(text)).toEqual(value);
  });

  it.each<[sentence: string, text: string, why: RegExp]>([
    ['plain text with a colon and a space', 'a: 1\nb: use it: often', /line 2 .* put it in quotes/],
    ['a key given twice', 'a: 1\na: 2', /line 2 .* "a" stands here twice/],
    ['a key given twice in braces', 'x: {a: 1, a: 2}', /"a" stands here twice/],
    ['tabs for indentation', 'a:\n\tb: 1', /line 2 .* a tab/],
    ['anchors', 'a: &x 1', /anchors/],
    ['aliases', 'a: [*x]', /anchors/],
    ['tags', 'a: !!str 1', /anchors/],
    ['a bracket that does not close', 'a: [1, 2', /"," or "]"/],
    ['quotes that do not close', 'a: "x', /does not end/],
    ['an escape that is none', String.raw`a: "\q"`, /escape/],
    ['text behind a value', 'a: "x" y', /nothing should follow/],
    ['indentation that fits nothing', 'a: 1\n   b: 2', /line 2|line 1/],
    ['a list where a key should stand', 'a: 1\n- b', /line 2/],
    ['nesting without end', `a: ${'['.repeat(200)}`, /nested/],
    [
      'blocks without end',
      Array.from({ length: 60 }, (_n, depth) => `${' '.repeat(depth)}k:`).join('\n'),
      /nested/,
    ],
  ])('refuses %s and names the line', (_sentence, text, why) => {
    expect(() => readYaml(text)).toThrow(why);
  });

  it.each([' ', '[', '{a: ', '- ', 'a: ', '"', '\n', '#', ': '])(
    'comes to an end with a long line of %j',
    piece => {
      let end: unknown;
      try {
        end = readYaml(`a: x${piece.repeat(16_000 / piece.length)}b`);
      } catch (error) {
        end = error;
      }
      expect(end instanceof YamlError || typeof end === 'object').toBe(true);
    },
    2_000,
  );
});
