import { expect, it } from 'vitest';
import { isListed, matchesGlob } from './glob.ts';

it.each([
  ['*', '', true],
  ['a*', 'abc', true],
  ['a*c', 'abcbc', true],
  ['a*d', 'abc', false],
  ['?b', 'ab', true],
  ['?', '', false],
  ['a**b', 'ab', true],
  ['a.b', 'axb', false],
  ['(a|b)+', '(a|b)+', true],
  ['git/*', 'git/a/b', true],
  ['', '', true],
  ['', 'a', false],
])('%j and %j: %s', (pattern, name, fits) => {
  expect(matchesGlob(pattern, name)).toBe(fits);
});

it('takes no more than a moment for patterns that are made to take long', () => {
  const name = 'a'.repeat(2_000);
  expect(matchesGlob(`${'*a'.repeat(300)}b`, name)).toBe(false);
});

it('lets the last pattern that fits decide', () => {
  const list = ['*', '!secret_*', 'secret_but_fine'];
  expect(['open', 'secret_key', 'secret_but_fine'].map(name => isListed(list, [name]))).toEqual([
    true,
    false,
    true,
  ]);
  expect(isListed(['!a'], ['b'])).toBe(true);
  expect(isListed([], ['b'])).toBe(false);
});
