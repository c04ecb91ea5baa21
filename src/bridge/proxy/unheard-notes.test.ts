import { expect, it } from 'vitest';
import type { Call } from '../../protocol/call.ts';
import { UnheardNotes } from './unheard-notes.ts';

const nobody = {} as Call;

it('tells in order, once', () => {
  const notes = new UnheardNotes();
  const told: number[] = [];
  for (const each of [1, 2, 3]) notes.keep(each, () => told.push(each));
  notes.tell(nobody);
  notes.tell(nobody);
  expect(told).toEqual([1, 2, 3]);
});

it('keeps the newest of many, and of large ones as many as have room', () => {
  const notes = new UnheardNotes();
  const told: string[] = [];
  const keep = (name: string, size: number) => notes.keep('x'.repeat(size), () => told.push(name));
  for (let at = 1; at <= 150; at += 1) keep(`${at}`, 1);
  notes.tell(nobody);
  expect([told.length, told[0], told.at(-1)]).toEqual([100, '51', '150']);
  told.length = 0;
  keep('a', 500_000);
  keep('b', 500_000);
  keep('c', 500_000);
  keep('too large', 2_000_000);
  keep('d', 500_000);
  notes.tell(nobody);
  expect(told).toEqual(['d']);
  keep('nothing', 0);
  notes.keep(undefined, () => told.push('undefined'));
  notes.tell(nobody);
  expect(told).toEqual(['d', 'nothing', 'undefined']);
});
