/** Tests of the size of a single value. */
import { isObject } from '../basics/json.ts';
import { isMultiple } from './multiple.ts';
import { presentKeys } from './present.ts';
import { spend } from './rule.ts';

/** One test for each keyword that sets a size; values that have no such size pass. */
export const sizeTests: Readonly<Record<string, (value: unknown, limit: number) => boolean>> = {
  minimum: (value, limit) => !Number.isFinite(value) || (value as number) >= limit,
  maximum: (value, limit) => !Number.isFinite(value) || (value as number) <= limit,
  exclusiveMinimum: (value, limit) => !Number.isFinite(value) || (value as number) > limit,
  exclusiveMaximum: (value, limit) => !Number.isFinite(value) || (value as number) < limit,
  minItems: (value, limit) => !Array.isArray(value) || value.length >= limit,
  maxItems: (value, limit) => !Array.isArray(value) || value.length <= limit,
  minLength: (value, limit) =>
    typeof value !== 'string' || value.length >= 2 * limit || codePoints(value) >= limit,
  maxLength: (value, limit) =>
    typeof value !== 'string' || value.length <= limit || codePoints(value) <= limit,
  minProperties: (value, limit) => !isObject(value) || countNames(value) >= limit,
  maxProperties: (value, limit) => !isObject(value) || countNames(value) <= limit,
  multipleOf: (value, limit) => !Number.isFinite(value) || isMultiple(value as number, limit),
};

function countNames(value: object): number {
  const { length } = presentKeys(value);
  spend(length);
  return length;
}

function codePoints(text: string): number {
  spend(text.length >> 3);
  let count = 0;
  for (const _ of text) count++;
  return count;
}
