/** Checks of what a caller passes to a pattern, before anything is spent; each names the field and its bounds. */

/** What a number must be. Bounds are inclusive unless `above` is set. */
export interface NumberBounds {
  readonly integer?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** The value must be greater than this. */
  readonly above?: number;
}

/** Throws a TypeError unless `value` is a finite number within the bounds, or `undefined`. */
export function checkNumber(where: string, field: string, value: unknown, bounds: NumberBounds): void {
  if (value === undefined) return;
  const { integer = false, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, above } = bounds;
  const fits =
    typeof value === 'number' &&
    (integer ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= min &&
    value <= max &&
    (above === undefined || value > above);
  if (!fits) throw new TypeError(`${where}: ${field} must be ${describeBounds(bounds)}, got ${show(value)}`);
}

/** Throws a TypeError unless `value` is a string with something other than whitespace in it. */
export function checkText(where: string, field: string, value: unknown): void {
  if (typeof value !== 'string' || value.trim() === '') {
    throw new TypeError(`${where}: ${field} must be a string that is not blank, got ${show(value)}`);
  }
}

/** Throws a TypeError unless `value` is one of `choices`, or `undefined`. */
export function checkChoice(where: string, field: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const wanted = choices.map(choice => JSON.stringify(choice)).join(' or ');
  throw new TypeError(`${where}: ${field} must be ${wanted}, got ${show(value)}`);
}

/** Throws a TypeError unless `value` is a model. */
export function checkModel(where: string, value: unknown): void {
  if (typeof (value as { respond?: unknown } | null | undefined)?.respond === 'function') return;
  throw new TypeError(`${where}: model must be a model, an object with respond(), got ${show(value)}`);
}

/** Throws a TypeError unless `value` is a function, or `undefined`. `wanted` says what else would have done. */
export function checkFunction(where: string, field: string, value: unknown, wanted = 'a function'): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${where}: ${field} must be ${wanted}, got ${show(value)}`);
}

function describeBounds({ integer, min, max, above }: NumberBounds): string {
  const kind = integer === true ? 'an integer' : 'a number';
  if (above !== undefined) return `${kind} above ${above}`;
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return kind;
}

/** A value as it may stand in a message: scalars as they are, cut short, everything else by its type. */
function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
