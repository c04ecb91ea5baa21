import { expect, it } from 'vitest';
import { bodyText } from './body-text.ts';

it('a body is its JSON', () => {
  const body = { a: ['é 🙂', 1, null, { b: true }], '\u007f': '\\ud83d' };
  expect(bodyText(body)).toBe(JSON.stringify(body));
});

it('half a character is sent as a mark for what is missing, wherever it stands', () => {
  const sent = bodyText({ a: ['cut \uD83D', '\uDE42 and 🙂'], '\uD83D': { b: '\uD83D' }, n: undefined });
  expect(sent).toBe('{"a":["cut \uFFFD","\uFFFD and 🙂"],"\uFFFD":{"b":"\uFFFD"}}');
});
