/** Whether one number is a multiple of another, exactly: as the decimals that JSON writes, not as their quotient. */
import { spend } from './rule.ts';

/** As many digits are whole numbers of the machine whatever they are. */
const exactDigits = 15;

export function isMultiple(value: number, unit: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(unit)) return value % unit === 0;
  const [dividend, divisor] = [readDecimal(value), readDecimal(unit)];
  const exponent = Math.min(dividend.exponent, divisor.exponent);
  const [left, right] = [writeOut(dividend, exponent), writeOut(divisor, exponent)];
  if (left.length <= exactDigits && right.length <= exactDigits) return Number(left) % Number(right) === 0;
  // Some 600 at most.
  spend(left.length + right.length);
  return BigInt(left) % BigInt(right) === 0n;
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** The shortest decimal that stands for the number, which is how JSON writes it: 19.99, 5e-324. */
function readDecimal(value: number): Decimal {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, exponent: Number(power) - fraction.length };
}

function writeOut({ digits, exponent }: Decimal, to: number): string {
  return digits + '0'.repeat(exponent - to);
}
