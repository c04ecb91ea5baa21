import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import { compilePattern } from './pattern.ts';
import { readPythonPattern } from './python-pattern.ts';

describe('a pattern as Python writes it', () => {
  it.each([
    ['(?i)^abc$', 'aBC', 'abd'],
    ['(?s)^a.b$', 'a\nb', 'a\nc'],
    ['(?m)^b$', 'a\nb', 'ab'],
    ['(?mi)^B$', 'a\nb', 'ab'],
    ['(?u)^\\w+$', 'ab', ''],
    ['^(?P<year>\\d{4})-\\d\\d$', '2026-11', '26-11'],
    ['^(?P<q>[x"])a(?P=q)$', 'xax', 'xa"'],
    ['(?i)^(?P<a>b)\\-[\\]c(?P<]$', 'B-P', 'B-d'],
  ])('%s judges as it does there', (source, fits, other) => {
    const pattern = compilePattern(source);
    expect([pattern?.test(fits), pattern?.test(other)]).toEqual([true, false]);
  });
  it.each(['^abc$', '\\(?P<', '[(?P<]', '(?:a)', '(?<n>a)'])('%s is none', source => {
    expect(readPythonPattern(source)).toBeUndefined();
  });
  it.each(['(?x) a b', '(?P<n>', '(?P=none)', '(?i', '(?P>n)', '(?i)(?i)a', '^(?>a)$'])(
    '%s is refused as before',
    source => {
      expect(compilePattern(source)).toBeUndefined();
      expect(() => compileSchema({ pattern: source })).toThrow('must be');
    },
  );
  it('is withheld from texts on which it would take too long', () => {
    expect(() => compilePattern('(?i)^(a+)+$')?.test(`${'a'.repeat(60)}!`)).toThrow('could not be judged');
    expect(compilePattern('(?P<n>a+)+$')?.test(`${'a'.repeat(5000)}!`)).toBe(false);
  });
});
