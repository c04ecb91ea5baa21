import { expect, it } from 'vitest';
import { oddityOf } from './oddity.ts';

const answer = { jsonrpc: '2.0', id: 1, result: {} };
const refusal = { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } };

it.each([
  ['version', { id: 1, result: {} }],
  ['version', { ...answer, jsonrpc: 2 }],
  ['id-as-string', { ...answer, id: '1' }],
  ['error-null', { ...answer, error: null }],
  ['result-and-error', { ...refusal, result: null }],
  ['method-null', { ...answer, method: null }],
  ['extra-member', { ...answer, sender: 'x' }],
])('%s is told', (word, response) => {
  expect(oddityOf(response)).toMatchObject({ word, message: expect.stringContaining('tolerated') });
});

it('an ordinary answer is not odd', () => {
  expect([answer, refusal].map(oddityOf)).toEqual([undefined, undefined]);
});

it('a long name of a member is cut', () => {
  expect(oddityOf({ ...answer, ['x'.repeat(100_000)]: 1 })?.message.length).toBeLessThan(200);
});
