/** Checks of what a caller passes in, before anything is spent or started; each names the option and its bounds. */
import { sketch } from './sketch.ts';

/** What a number must be. Bounds are inclusive unless `above` is set. */
export interface NumberBounds {
  readonly integer?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The value must be greater than this. */
  readonly above?: number;
  /** Infinity is a value too, for no limit at all. */
  readonly infinite?: boolean;
}

/** Throws a TypeError unless `value` is a number within the bounds, or `undefined`. */
export function checkNumber(where: string, name: string, value: unknown, bounds: NumberBounds): void {
  if (!fits(value, bounds)) throw unfit(where, name, describeBounds(bounds), value);
}

/** Throws a TypeError unless `value` is a duration above 0, Infinity included, or `undefined`. */
export function checkMilliseconds(where: string, name: string, value: unknown): void {
  if (!fits(value, { above: 0, infinite: true })) {
    throw unfit(where, name, 'a number of milliseconds above 0', value);
  }
}

/** Throws a TypeError unless `value` is a string with something other than whitespace in it. */
export function checkText(where: string, name: string, value: unknown): void {
  if (typeof value === 'string' && value.trim() !== '') return;
  throw unfit(where, name, 'a string that is not blank', value);
}

/** Throws a TypeError unless `value` is one of `choices`, or `undefined`. */
export function checkChoice(where: string, name: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const shown = choices.map(choice => JSON.stringify(choice));
  throw unfit(where, name, shown.length > 3 ? `one of ${shown.join(', ')}` : shown.join(' or '), value);
}

/** Throws a TypeError unless `value` is a function, or `undefined`. `wanted` says what else would have done. */
export function checkFunction(where: string, name: string, value: unknown, wanted = 'a function'): void {
  if (value !== undefined && typeof value !== 'function') throw unfit(where, name, wanted, value);
}

/** Throws a TypeError unless `value` has a function called `member`, as `wanted` has. */
export function checkHas(where: string, name: string, value: unknown, member: string, wanted: string): void {
  const holds = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (holds && typeof (value as Record<string, unknown>)[member] === 'function') return;
  throw unfit(where, name, wanted, value);
}

function fits(value: unknown, bounds: NumberBounds): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  const { integer = false, min = -Infinity, max = Infinity, above = -Infinity, infinite = false } = bounds;
  const isWhole = Number.isSafeInteger(value) || (infinite && value === Infinity);
  if (integer ? !isWhole : !(Number.isFinite(value) || infinite)) return false;
  return value >= min && value <= max && (above === -Infinity || value > above);
}

function describeBounds({ integer, min, max, above }: NumberBounds): string {
  const kind = integer === true ? 'an integer' : 'a number';
  if (above !== undefined) return `${kind} above ${above}`;
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return kind;
}

function unfit(where: string, name: string, wanted: string, value: unknown): TypeError {
  return new TypeError(`${where}: ${name} must be ${wanted}, got ${sketch(value)}`);
}
