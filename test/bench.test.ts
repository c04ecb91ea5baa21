import { describe, expect, it } from 'vitest';
import { printPage, printTable, summarize } from '../bench/report.mjs';
import { rows } from '../bench/rows.mjs';
import { ensureBuilt } from '../scripts/example.mjs';

const sample = (cpu: number): { cpu: number; perSecond: number } => ({ cpu, perSecond: 1000 });

describe('the report of the benchmark', () => {
  const samples = {
    floor: [sample(2), sample(4), sample(3)],
    ours: [sample(4), sample(12), sample(3)],
  };
  const summary = summarize({ name: 'a row', limit: 3 }, samples);

  it('takes the median of the rounds, and compares each round with its own floor', () => {
    expect(summary.subjects).toEqual({
      floor: { cpu: 3, ratio: 1, perSecond: 1000 },
      ours: { cpu: 4, ratio: 2, perSecond: 1000 },
    });
  });

  it('leaves out who was not measured', () => {
    expect(printTable([summary]).split('\n').at(-1)).toBe('| a row | 3.0 µs | 4.0 µs, 2.00x | – | 3x |');
  });

  it('carries the figures as data too', () => {
    const page = printPage([summary], { node: '20', cores: 2, rounds: 3, when: '2026-11' });
    const [, data = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual([
      {
        name: 'a row',
        per: 'call',
        floor: { cpuMicroseconds: 3, ratio: 1, perSecond: 1000 },
        ours: { cpuMicroseconds: 4, ratio: 2, perSecond: 1000 },
      },
    ]);
  });
});

describe('every row of the benchmark', () => {
  ensureBuilt();

  it.each(rows.map(row => [row.name, row] as const))(
    '%s: is answered by the floor and by ours',
    async (_name, row) => {
      for (const subject of ['floor', 'ours']) {
        const { cpu } = await row.measure(subject, 0.001);
        expect(cpu).toBeGreaterThan(0);
      }
    },
  );
});
