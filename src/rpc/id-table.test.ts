import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdTable } from './id-table.ts';
import type { Id } from './message.ts';

const sorted = (entries: Iterable<readonly [Id, object]>): string[] =>
  [...entries].map(entry => JSON.stringify(entry)).sort();

it('finds what waits, also where more wait than have a place', () => {
  const table = new IdTable<{ n: number }>();
  for (let id = 0; id < 1000; id += 1) table.add(id, { n: id });
  expect(table.size).toBe(1000);
  expect([0, 256, 999, 1000].map(id => table.get(id)?.n)).toEqual([0, 256, 999, undefined]);
  for (let id = 0; id < 1000; id += 2) table.delete(id);
  expect(table.size).toBe(500);
  expect([256, 257].map(id => table.get(id)?.n)).toEqual([undefined, 257]);
  expect(table.entries()).toHaveLength(500);
});

it('tells a number from the text of it', () => {
  const table = new IdTable<{ of: string }>();
  table.add('1', { of: 'text' });
  table.add(1, { of: 'number' });
  table.add('', { of: 'empty' });
  expect([1, '1', '', 0].map(id => table.get(id)?.of)).toEqual(['number', 'text', 'empty', undefined]);
  table.delete(1);
  expect([1, '1'].map(id => table.get(id)?.of)).toEqual([undefined, 'text']);
});

it('finds an id below zero that came too late for a place of its own', () => {
  const table = new IdTable<{ n: number }>();
  table.add(255, { n: 255 });
  table.add(-1, { n: -1 });
  table.delete(255);
  expect(table.get(-1)?.n).toBe(-1);
  table.delete(-1);
  expect([table.get(-1), table.size]).toEqual([undefined, 0]);
});

it.each([1, 16, 256])('does as a map does, whatever is added and deleted: %i places', places => {
  const id = fc.oneof(fc.integer({ min: -600, max: 600 }), fc.integer().map(String));
  const step = fc.record({ id, deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 500 }), steps => {
      const table = new IdTable<object>(places);
      const map = new Map<Id, object>();
      for (const { id, deletes } of steps) {
        if (deletes) {
          table.delete(id);
          map.delete(id);
        } else if (!map.has(id)) {
          const value = { id };
          table.add(id, value);
          map.set(id, value);
        }
        expect(table.get(id)).toBe(map.get(id));
        expect(table.size).toBe(map.size);
      }
      expect(sorted(table.entries())).toEqual(sorted(map));
    }),
  );
});
