/** Arithmetic from text: a small bounded parser that computes as it reads, and never evaluates code. */
import { ToolError } from '../../tools/tool-error.ts';

/** Most characters of an expression. A number or operator takes at least one, so this bounds the work too. */
export const maxExpressionLength = 1000;

const maxDepth = 100;
const numberPattern = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

type Binary = (a: number, b: number) => number;

const sums: Readonly<Record<string, Binary>> = { '+': (a, b) => a + b, '-': (a, b) => a - b };
const products: Readonly<Record<string, Binary>> = {
  '*': (a, b) => a * b,
  '/': (a, b) => a / nonZero(b),
  // The result has the sign of the divisor, as in mathematics: -7 % 3 is 2.
  '%': (a, b) => {
    const rest = a % nonZero(b);
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
  },
};

/**
 * Computes `+ - * / % **`, signs and parentheses over decimal numbers, in doubles. `**` binds tighter than a sign on
 * its left and groups to the right: `-2 ** 2` is -4. Throws a ToolError that says what is wrong and where.
 */
export function evaluate(expression: string): number {
  if (expression.length > maxExpressionLength) {
    throw new ToolError(
      `the expression has ${expression.length} characters; at most ${maxExpressionLength} are allowed`,
    );
  }
  const reader = new Reader(expression);
  if (reader.atEnd()) throw new ToolError('the expression is empty; give something such as "2 * (3 + 4)"');
  const value = readSum(reader, 0);
  if (!reader.atEnd()) throw reader.unexpected('an operator or the end');
  return value;
}

/** A number as people write it: no ".0" on integers, no minus on zero. */
export function printNumber(value: number): string {
  return String(value === 0 ? 0 : value);
}

function readSum(reader: Reader, depth: number): number {
  return readChain(reader, depth, sums, readProduct);
}

function readProduct(reader: Reader, depth: number): number {
  return readChain(reader, depth, products, readSigned);
}

/** One level of left-grouping operators. */
function readChain(
  reader: Reader,
  depth: number,
  operators: Readonly<Record<string, Binary>>,
  readOperand: (reader: Reader, depth: number) => number,
): number {
  let value = readOperand(reader, depth);
  for (;;) {
    const operator = reader.peekOperator();
    const apply = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (apply === undefined) return value;
    reader.skip(operator.length);
    value = finite(apply(value, readOperand(reader, depth)));
  }
}

function readSigned(reader: Reader, depth: number): number {
  const operator = reader.peekOperator();
  if (operator !== '+' && operator !== '-') return readPower(reader, depth);
  reader.skip(1);
  const value = readSigned(reader, deeper(depth));
  return operator === '-' ? -value : value;
}

function readPower(reader: Reader, depth: number): number {
  const base = readOperand(reader, depth);
  if (reader.peekOperator() !== '**') return base;
  reader.skip(2);
  const exponent = readSigned(reader, deeper(depth));
  if (base === 0 && exponent < 0) throw new ToolError('division by zero: 0 has no negative power');
  const value = base ** exponent;
  if (Number.isNaN(value)) {
    throw new ToolError('a negative number has no real power with a fractional exponent');
  }
  return finite(value);
}

function readOperand(reader: Reader, depth: number): number {
  if (reader.take('(')) {
    const value = readSum(reader, deeper(depth));
    if (!reader.take(')')) throw reader.unexpected('")"');
    return value;
  }
  return finite(reader.takeNumber());
}

function deeper(depth: number): number {
  if (depth >= maxDepth) {
    throw new ToolError(`the expression is nested too deeply; at most ${maxDepth} levels are allowed`);
  }
  return depth + 1;
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new ToolError('division by zero');
  return divisor;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new ToolError('the numbers get too large; the limit is about 1.8e308');
  return value;
}

/** Where we are in the text. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#skipSpace();
    return this.#at >= this.#text.length;
  }

  /** The character that comes next, or both of `**`; empty at the end. */
  peekOperator(): string {
    this.#skipSpace();
    return this.#text.startsWith('**', this.#at) ? '**' : this.#text.charAt(this.#at);
  }

  skip(count: number): void {
    this.#at += count;
  }

  take(character: string): boolean {
    if (this.peekOperator() !== character) return false;
    this.skip(1);
    return true;
  }

  takeNumber(): number {
    this.#skipSpace();
    numberPattern.lastIndex = this.#at;
    const found = numberPattern.exec(this.#text)?.[0];
    if (found === undefined) throw this.unexpected('a number or "("');
    this.skip(found.length);
    return Number(found);
  }

  /** The error for what stands here. Shows one printable character at most, never the text around it. */
  unexpected(wanted: string): ToolError {
    this.#skipSpace();
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return new ToolError(`the expression ends too early: ${wanted} should follow`);
    const printable = code > 0x20 && code < 0x7f;
    const shown = printable
      ? JSON.stringify(String.fromCodePoint(code))
      : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    return new ToolError(
      `unexpected ${shown} at character ${this.#at + 1} where ${wanted} should stand; ` +
        'only decimal numbers, + - * / % ** and parentheses are understood',
    );
  }

  #skipSpace(): void {
    while (/\s/u.test(this.#text.charAt(this.#at))) this.#at += 1;
  }
}
