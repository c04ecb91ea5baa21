import { describe, expect, it } from 'vitest';
import { printPage, printTable, summarize } from '../bench/report.mjs';
import { rows } from '../bench/rows/all.mjs';
import { ensureBuilt } from '../scripts/example.mjs';

const sample = (value: number): { value: number; perSecond: number } => ({ value, perSecond: 1000 });

describe('the report of the benchmark', () => {
  const samples = {
    floor: [sample(2), sample(4), sample(3)],
    ours: [sample(4), sample(12), sample(3)],
  };
  const summary = summarize({ name: 'a row', aim: 3 }, samples);

  it('takes the median of the rounds, and compares each round with its own floor', () => {
    expect(summary.subjects).toEqual({
      floor: { value: 3, ratio: 1, spread: 0, perSecond: 1000 },
      ours: { value: 4, ratio: 2, spread: 0.25, perSecond: 1000 },
    });
  });

  it('has a column for whoever was measured in any row', () => {
    const bytes = summarize({ name: 'heap', unit: 'B', most: 1024 }, { floor: [{ value: 20 }] });
    expect(printTable([summary, bytes]).split('\n')).toEqual([
      '|  | floor | Tenon | aim |',
      '|---|---|---|---|',
      '| a row | 3.0 µs | 4.0 µs, 2.00x | 3x |',
      '| heap | 20 B | – | 1024 B |',
    ]);
  });

  it('carries the figures as data too', () => {
    const facts = { node: '20', cores: 2, rounds: 3, when: '2026-11' };
    const sizes = [{ subject: 'ours', packages: 1, megabytes: 1.25, server: { start: 40, all: 80 } }];
    const page = printPage([summary], sizes, facts);
    expect(page).toContain('| Tenon | 1 | 1.3 | 40.0 / 80.0 | – |');
    const [, data = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual({
      rows: [
        {
          name: 'a row',
          unit: 'µs',
          floor: { value: 3, ratio: 1, spread: 0, perSecond: 1000 },
          ours: { value: 4, ratio: 2, spread: 0.25, perSecond: 1000 },
        },
      ],
      sizes,
    });
  });
});

describe('every row of the benchmark', () => {
  ensureBuilt();

  it.each(rows.map(row => [row.name, row] as const))(
    '%s: is answered by the floor and by ours',
    async (_name, row) => {
      for (const subject of ['floor', 'ours']) {
        expect(row.has(subject)).toBe(true);
        const { value } = await row.measure(subject, 0.001);
        expect(value).toBeGreaterThan(0);
      }
    },
  );
});
