/** Regular expressions of schemas: judged by the platform where that is cheap at worst, else step by step within a bound. */
import { readExpression } from './expression.ts';
import { costOfPattern, type PatternCost } from './pattern-cost.ts';
import { runProgram } from './pattern-machine.ts';
import { parsePattern } from './pattern-parser.ts';
import { type Program, writeProgram } from './pattern-program.ts';
import { shortenPattern } from './phrases.ts';

/** A compiled pattern. */
export interface Pattern {
  /** True when it matches somewhere in the text. Throws a `PatternLimitError` when that takes too many steps. */
  test(text: string): boolean;
  /** Steps, as judging counts them, that a text of so many characters may take at worst. */
  weigh(length: number): number;
}

/** Whether a text matches was not found out within the bounds. */
export class PatternLimitError extends Error {}

/** Worst cases of the platform that are let be: so many steps for any text, and so many more for each character. */
const native = { base: 4096, each: 64 };
/** Steps of our own: for one text, for each character, for the longest text, and for all texts of one value. */
const steps = { base: 200_000, each: 20, most: 1_000_000, value: 1_000_000 };

/** The worst case that is let be for a text of so many characters. */
const letBe = (length: number): number => native.base + native.each * length;

const spent = { left: steps.value };

/** Begins the count for the texts of another value. */
export function beginPatterns(): void {
  spent.left = steps.value;
}

/** The compiled pattern, or undefined when it is no regular expression. */
export function compilePattern(pattern: string): Pattern | undefined {
  const read = readExpression(pattern);
  if (read === undefined) return undefined;
  const { source, regExp, flags, more } = read;
  const parsed = parsePattern(source, flags);
  const cost: PatternCost =
    parsed === undefined ? { bits: Number.POSITIVE_INFINITY, degree: 1 } : costOfPattern(parsed.root);
  const worst = (length: number): number => 2 ** cost.bits * length ** cost.degree;
  let program: Program | 'none' | undefined;
  const ours = (): Program | 'none' => {
    program ??= (parsed?.known === true && more === '' ? writeProgram(parsed, flags) : undefined) ?? 'none';
    return program;
  };
  return {
    weigh: length => 1 + (Math.min(worst(length), letBe(length)) >> 6),
    test(text) {
      if (worst(text.length) <= letBe(text.length)) return testNative(regExp, text);
      const steps = ours();
      const verdict = steps === 'none' ? undefined : testByStep(steps, text, flags);
      if (verdict === undefined) throw beyond(source, text);
      return verdict;
    },
  };
}

function testByStep(program: Program, text: string, flags: 'u' | ''): boolean | undefined {
  const most = Math.min(steps.most, steps.base + steps.each * text.length);
  if (text.length > most) return undefined;
  // Each character brings its own steps; what goes beyond them is taken from what the whole value has.
  const given = Math.min(most, Math.max(0, spent.left) + steps.each * text.length);
  const budget = { left: given };
  const verdict = runProgram(program, flags === 'u' ? Array.from(text) : text.split(''), budget);
  spent.left -= Math.max(0, given - budget.left - steps.each * text.length);
  return verdict;
}

function testNative(expression: RegExp, text: string): boolean {
  try {
    return expression.test(text);
  } catch {
    // Some engines find out only now that it is too large.
    throw beyond(expression.source, text);
  }
}

function beyond(source: string, text: string): PatternLimitError {
  return new PatternLimitError(
    `a text of ${text.length} characters could not be judged by the pattern ${shortenPattern(source)} within its bounds`,
  );
}
