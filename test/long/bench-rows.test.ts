import { describe, expect, it } from 'vitest';
import { rows } from '../../bench/rows/all.mjs';
import { ensureBuilt } from '../../scripts/example.mjs';

describe('every row of the benchmark', () => {
  ensureBuilt();

  it.each(rows.map(row => [row.name, row] as const))(
    '%s: is answered by the floor, where it has one, and by ours',
    async (_name, row) => {
      expect(row.has('ours')).toBe(true);
      for (const subject of ['floor', 'ours'].filter(each => row.has(each))) {
        const { value } = await row.measure(subject, 0.001);
        expect(value).toBeGreaterThan(0);
      }
    },
  );
});
