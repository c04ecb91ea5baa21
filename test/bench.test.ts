import { describe, expect, it } from 'vitest';
import { printPage } from '../bench/page.mjs';
import { printTable, summarize } from '../bench/report.mjs';
import { median, medianOf, spreadOf } from '../bench/statistics.mjs';

const sample = (value: number): { value: number; perSecond: number } => ({ value, perSecond: 1000 });

describe('the spread of the rounds', () => {
  it.each([
    [[5], 0],
    [[4, 6], 0.4],
    [[10, 10, 4], 0.6],
    [[10, 10, 16], 0.6],
  ])('is that from the lowest to the highest of few: %j', (values, spread) => {
    expect(spreadOf(values)).toBeCloseTo(spread);
  });
  it.each([
    [[1, 2, 3, 4], 0.6],
    [[4, 1, 2, 3, 100], 2 / 3],
  ])('is that between the quarters of more, one that stands apart left out: %j', (values, spread) => {
    expect(spreadOf(values)).toBeCloseTo(spread);
  });
  it('belongs to a median between two where they are even', () => {
    expect([median([3, 1, 2]), median([1, 4, 2, 3])]).toEqual([2, 2.5]);
  });
});

describe('a measurement that alone tells little', () => {
  it('is taken several times, one after the other, and gives the median', async () => {
    const values = [9, 1, 5];
    let running = 0;
    const measure = async (): Promise<{ value: number | undefined }> => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      return { value: values.shift() };
    };
    expect(await medianOf(3, measure)).toBe(5);
    expect(values).toEqual([]);
  });
});

describe('the report of the benchmark', () => {
  const samples = {
    floor: [sample(2), sample(4), sample(3)],
    ours: [sample(4), sample(12), sample(3)],
  };
  const summary = summarize({ name: 'a row', aim: 3 }, samples);

  it('takes the median of the rounds, and compares each round with its own floor', () => {
    expect(summary.subjects).toEqual({
      floor: { value: 3, ratio: 1, spread: 0, perSecond: 1000 },
      ours: { value: 4, ratio: 2, spread: 1, perSecond: 1000 },
    });
  });

  it('has a column for whoever was measured in any row', () => {
    const bytes = summarize({ name: 'heap', unit: 'B', most: 1024 }, { floor: [{ value: 20 }] });
    expect(printTable([summary, bytes]).split('\n')).toEqual([
      '|  | floor | Tenon | aim | met |',
      '|---|---|---|---|---|',
      '| a row | 3.0 µs | 4.0 µs, 2.00x | 3x | yes |',
      '| heap | 20 B | – | 1024 B | – |',
    ]);
  });

  it('says where an aim is not met', () => {
    const slow = summarize({ name: 'slow', aim: 2 }, { floor: [sample(1)], ours: [sample(3)] });
    const large = summarize({ name: 'large', unit: 'B', most: 9 }, { ours: [sample(10)] });
    const turn = summarize({ name: 'turn', least: true }, { ours: [sample(5)], 'ai-sdk-agent': [sample(4)] });
    expect(printTable([slow, large, turn]).match(/[^|]+\| \*\*no\*\* \|$/gm)).toEqual([
      ' 2x | **no** |',
      ' 9 B | **no** |',
      ' the least | **no** |',
    ]);
  });

  it('says nothing of being the least where nobody else was measured', () => {
    const alone = summarize({ name: 'alone', least: true }, { ours: [sample(5)], floor: [sample(4)] });
    expect(printTable([alone])).toMatch(/\| the least \| – \|$/);
  });

  it('compares what was measured beside many with the same beside few, round by round', () => {
    const row = { name: 'many', ofFew: 1.1 };
    const rounds = [10, 11, 13].map(value => ({ value, few: 10 }));
    const met = summarize(row, { ours: rounds });
    expect(printTable([met])).toMatch(
      /\| 11.0 µs \(1.10x of itself\) \| 1.1x of itself beside ten \| yes \|$/,
    );
    const missed = summarize(row, { ours: rounds.map(({ value }) => ({ value, few: 9 })) });
    expect(printTable([missed])).toMatch(/\(1.22x of itself\) \|.*\| \*\*no\*\* \|$/);
  });

  it('carries the figures as data too', () => {
    const facts = { node: '20', cores: 2, rounds: 3, when: '2026-11' };
    const sizes = [{ subject: 'ours', packages: 1, megabytes: 1.25, server: { start: 40, all: 80 } }];
    const page = printPage([summary], sizes, facts);
    expect(page).toContain('| Tenon | 1 | 1.250 | 40.0 / 80.0 | – |');
    const [, data = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual({
      rows: [
        {
          name: 'a row',
          unit: 'µs',
          per: 'call',
          rounds: 3,
          floor: { value: 3, ratio: 1, spread: 0, perSecond: 1000 },
          ours: { value: 4, ratio: 2, spread: 1, perSecond: 1000 },
        },
      ],
      sizes,
    });
  });
});
