import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isMultiple } from './multiple.ts';

it.each([
  [1700000000000001, 1000, false],
  [1700000000000000, 1000, true],
  [9007199254740991, 2, false],
  [500000000000000.5, 1, false],
  [19.99, 0.01, true],
  [1.005, 0.01, false],
  [0.07, 0.01, true],
  [-4.35, 0.05, true],
  [1.1, 0.1, true],
  [0.0075, 0.0001, true],
  [0.00751, 0.0001, false],
  [1e308, 0.5, true],
  [1e308, 0.123456789, false],
  [1e23, 10, true],
  [1, 5e-324, true],
  [0, 0.3, true],
  [-0, 3, true],
])('%d, as a multiple of %d: %s', (value, unit, expected) => {
  expect(isMultiple(value, unit)).toBe(expected);
});

it('decides as whole numbers do, whatever power of ten both are divided by', () => {
  const digits = fc.bigInt({ min: 1n, max: 999_999_999n });
  fc.assert(
    fc.property(
      digits,
      digits,
      fc.integer({ min: -20, max: 20 }),
      fc.boolean(),
      (factor, unit, power, hits) => {
        const whole = hits ? (factor % 99_999n) * (unit % 9_999n || 1n) : factor;
        const by = hits ? unit % 9_999n || 1n : unit;
        expect(isMultiple(Number(`${whole}e${power}`), Number(`${by}e${power}`))).toBe(whole % by === 0n);
      },
    ),
  );
});
