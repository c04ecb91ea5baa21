import { expect, it } from 'vitest';
import { AskedCalls } from './asked-calls.ts';

it('knows a call that was asked about, once', () => {
  const asked = new AskedCalls();
  asked.add({ name: 'pay', id: '1' });
  expect(asked.take({ name: 'pay', id: '2' })).toBe(false);
  expect(asked.take({ name: 'send', id: '1' })).toBe(false);
  expect(asked.take({ name: 'pay', id: '1' })).toBe(true);
  expect(asked.take({ name: 'pay', id: '1' })).toBe(false);
});

it('forgets the oldest of more than a thousand', () => {
  const asked = new AskedCalls();
  for (let id = 0; id <= 1000; id += 1) asked.add({ name: 'pay', id: String(id) });
  expect(asked.take({ name: 'pay', id: '0' })).toBe(false);
  expect(asked.take({ name: 'pay', id: '1' })).toBe(true);
  expect(asked.take({ name: 'pay', id: '1000' })).toBe(true);
});
