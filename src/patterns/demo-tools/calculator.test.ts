import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isToolError } from '../../tools/tool-error.ts';
import { evaluate, printNumber } from './calculator.ts';

const compute = (expression: string): string => printNumber(evaluate(expression));

const refusal = (expression: string): string => {
  try {
    evaluate(expression);
  } catch (error) {
    if (isToolError(error)) return error.message;
    throw error;
  }
  throw new Error(`${expression} was not refused`);
};

describe('the calculator computes', () => {
  it.each([
    ['17 * 83', '1411'],
    [' 1+2*3 ', '7'],
    ['(1+2)*3', '9'],
    ['10 - 4 - 3', '3'],
    ['100 / 10 / 5', '2'],
    ['7 / 2', '3.5'],
    ['2 ** 3 ** 2', '512'],
    ['-2 ** 2', '-4'],
    ['(-2) ** 2', '4'],
    ['2 ** -1', '0.5'],
    ['2 * -3', '-6'],
    ['2 - -3', '5'],
    ['- - + 4', '4'],
    ['-0', '0'],
    ['.5 + 1.', '1.5'],
    ['1e3 + 2E-1', '1000.2'],
    ['1\n+\t1', '2'],
    ['9007199254740991', '9007199254740991'],
    ['2 ** 100', '1.2676506002282294e+30'],
  ])('%j as %s', (expression, result) => expect(compute(expression)).toBe(result));

  it.each([
    ['7 % 3', '1'],
    ['-7 % 3', '2'],
    ['7 % -3', '-2'],
    ['-7 % -3', '-1'],
    ['6 % -3', '0'],
    ['5.5 % 2', '1.5'],
  ])('%j with the sign of the divisor, %s', (expression, result) => expect(compute(expression)).toBe(result));

  it('500 terms, and 100 levels of parentheses', () => {
    expect(compute(Array(500).fill('1').join('+'))).toBe('500');
    expect(compute(`${'('.repeat(100)}1${')'.repeat(100)}`)).toBe('1');
  });
  it('the same as the machine does for any sum and product of small integers', () => {
    const operator = fc.constantFrom('+', '-', '*');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.array(fc.tuple(operator, fc.nat(99))),
        (first, rest) => {
          const terms: number[] = [first];
          for (const [sign, value] of rest) {
            if (sign === '*') terms.push((terms.pop() ?? 0) * value);
            else terms.push(sign === '+' ? value : -value);
          }
          const expected = terms.reduce((sum, term) => sum + term, 0);
          const expression = rest.reduce((text, [sign, value]) => `${text} ${sign} ${value}`, String(first));
          fc.pre(expression.length <= 1000 && Number.isSafeInteger(expected));
          expect(evaluate(expression)).toBeCloseTo(expected, 5);
        },
      ),
    );
  });
});

describe('the calculator refuses', () => {
  it.each([
    ['', 'the expression is empty'],
    ['  \n', 'the expression is empty'],
    ['1 / 0', 'division by zero'],
    ['5 % 0', 'division by zero'],
    ['0 ** -1', 'division by zero'],
    ['9 ** 9 ** 9', 'too large'],
    ['1e999', 'too large'],
    ['1e308 * 10 - 1e308 * 10', 'too large'],
    ['(-8) ** (1 / 3)', 'negative number has no real power'],
    ['1 +', 'ends too early: a number or "(" should follow'],
    ['(1', 'ends too early: ")" should follow'],
    ['1)', 'unexpected ")" at character 2'],
    ['1 2', 'unexpected "2" at character 3'],
    ['7 // 2', 'unexpected "/" at character 4'],
    ['2 ^ 3', 'unexpected "^" at character 3'],
    ['0x10', 'unexpected "x" at character 2'],
    ['1_000', 'unexpected "_" at character 2'],
    ['1.2.3', 'unexpected "." at character 4'],
    ['1e', 'unexpected "e" at character 2'],
    ['process.exit()', 'unexpected "p" at character 1'],
    ['constructor', 'unexpected "c" at character 1'],
    ['"a"', 'unexpected "\\"" at character 1'],
    ['1 \u2212 1', 'unexpected U+2212 at character 3'],
    ['1 \u0000', 'unexpected U+0000 at character 3'],
    ['()', 'unexpected ")" at character 2'],
    ['* 2', 'unexpected "*" at character 1'],
  ])('%j: %s', (expression, reason) => expect(refusal(expression)).toContain(reason));

  it('more than 1,000 characters', () => {
    expect(refusal('1'.repeat(1001))).toContain('has 1001 characters; at most 1000');
  });
  it.each([
    ['parentheses', `${'('.repeat(101)}1${')'.repeat(101)}`],
    ['signs', `${'-'.repeat(101)}1`],
    ['powers', Array(102).fill('1').join('**')],
  ])('more than 100 levels of %s', (_kind, expression) => {
    expect(refusal(expression)).toContain('nested too deeply');
  });
  it('anything else with a ToolError, whatever the text', () => {
    const piece = fc.constantFrom(
      '1',
      '2.5',
      '+',
      '-',
      '*',
      '**',
      '/',
      '%',
      '(',
      ')',
      ' ',
      'e',
      '.',
      'x',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
        try {
          expect(Number.isFinite(evaluate(pieces.join('')))).toBe(true);
        } catch (error) {
          expect(isToolError(error)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
