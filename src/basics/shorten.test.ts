import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';

it.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['abc', 1, 'a'],
  ['', 0, ''],
  ['abc', 0, ''],
])('%j within %d is %j', (text, most, shown) => {
  expect(shorten(text, most)).toBe(shown);
});

it('does not cut a character in two', () => {
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('ab😀cd', 5)).toBe('ab😀…');
  expect(shorten('😀', 1)).toBe('');
});

it('takes another mark, and leaves it out where it has no room', () => {
  expect(shorten('abcdefghij', 9, ' [cut]')).toBe('abc [cut]');
  expect(shorten('abcdefghij', 6, ' [cut]')).toBe('abcdef');
});
