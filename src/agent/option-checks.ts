/** Checks of single options; each gives the value back or throws a TypeError that names the option. */

export function wholeNumber(name: string, value: number | undefined, least: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new TypeError(`Agent: ${name} must be a whole number of at least ${least}, got ${String(value)}`);
}

export function aboveZero(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0)) return value;
  throw new TypeError(`Agent: ${name} must be a number above 0, got ${String(value)}`);
}

export function atLeastZero(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value >= 0)) return value;
  throw new TypeError(`Agent: ${name} must be a number of at least 0, got ${String(value)}`);
}

/** Text, functions, or a list of these. */
export function checkInstructions(instructions: unknown): void {
  for (const part of Array.isArray(instructions) ? instructions : [instructions]) {
    if (part !== undefined && typeof part !== 'string' && typeof part !== 'function') {
      throw new TypeError(`Agent: instructions must be text or functions, got ${typeof part}`);
    }
  }
}
