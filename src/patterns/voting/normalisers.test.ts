import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalisers } from './normalisers.ts';

const same = (name: keyof typeof normalisers, a: string, b: string): boolean =>
  normalisers[name](a) === normalisers[name](b);

describe('a normaliser', () => {
  it.each([
    ['exact', 'a', 'a', true],
    ['exact', 'a', 'a ', false],
    ['whitespace', '  a\n\t b \u00a0 c\r\n', 'a b c', true],
    ['whitespace', 'Yes.', 'yes', false],
    ['case', 'Yes.', ' yes', true],
    ['case', 'ＹＥＳ!', 'yes', true],
    ['case', 'yes, no', 'yes no', false],
    ['number', '42', 'The answer is 42.', true],
    ['number', '42', '42.0', true],
    ['number', '1,234.5', 'about 1234.50 in all', true],
    ['number', '**42**', '$42', true],
    ['number', 'Answer:42', '\\boxed{42}', true],
    ['number', '42', '4.2e1', true],
    ['number', '6 x 7 = 42', '6 x 7  = 42', true],
    ['number', '6 x 7 = 42', '42', false],
    ['number', '1/2', '3/2', false],
    ['number', '\u00bd', '\u2153', false],
    ['number', '12:30', '11:30', false],
    ['number', '2026-11-30', '2025-11-30', false],
    ['number', '3-5', '4-5', false],
    ['number', '3 to 5', '4 to 5', false],
    ['number', '2 (see note 1)', '3 (see note 1)', false],
    ['number', 'x = 5 cm^2', 'x = 7 cm^2', false],
    ['number', '5%', '5', false],
    ['number', '<5', '5', false],
    ['number', '0x10', '16', false],
    ['number', '-3', '3', false],
    ['number', '\u22123', '-3', true],
    ['number', '1e3', '1000', true],
    ['number', 'none at all', ' none  at all', true],
    ['number', 'number 3', 'text 3', true],
    ['number', 'v2a', 'v3a', false],
    ['json', '{"a":1,"b":[1,2]}', 'Here: ```json\n{"b": [1, 2], "a": 1}\n```', true],
    ['json', '[1,2]', '[2,1]', false],
    ['json', 'no json', 'no  json', true],
    ['json', '"1"', '1', false],
  ] as const)('%s: %j and %j count as the same: %s', (name, a, b, expected) => {
    expect(same(name, a, b)).toBe(expected);
  });

  it('never throws, and gives the same for the same', () => {
    fc.assert(
      fc.property(fc.string(), answer => {
        for (const normalise of Object.values(normalisers)) expect(normalise(answer)).toBe(normalise(answer));
      }),
    );
  });
});
