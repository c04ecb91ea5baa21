/** JSON values in memory, where a property that is undefined counts as absent: reading, comparing, counting. */
import { isObject } from '../basics/json.ts';
import { spend } from './rule.ts';

/** The names of the properties that are there; undefined ones would not survive being written as JSON. */
export function presentKeys(value: object): string[] {
  return Object.keys(value).filter(key => (value as Record<string, unknown>)[key] !== undefined);
}

/** The same text for values that are equal as JSON, whatever the order of their properties. */
export function printEqual(value: unknown): string {
  if (typeof value === 'string') {
    spend(1 + (value.length >> 6));
    return JSON.stringify(value);
  }
  spend(1);
  if (Array.isArray(value)) return `[${value.map(printEqual)}]`;
  // What no JSON has is equal to nothing that JSON has.
  if (!isObject(value)) return typeof value === 'number' ? String(value) : `${typeof value} ${String(value)}`;
  const members = presentKeys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${printEqual(value[name])}`);
  return `{${members}}`;
}

/** How many parts a value has, a long text being several; infinite when it is deeper than `levels`, or contains itself. */
export function countParts(value: unknown, levels: number): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (typeof value !== 'object' || value === null) return 1;
  if (levels === 0) return Number.POSITIVE_INFINITY;
  let parts = 1;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    parts += countParts(each, levels - 1);
    if (parts === Number.POSITIVE_INFINITY) break;
  }
  return parts;
}
