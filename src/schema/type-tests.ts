/** Tests of the type of a single value, as JSON Schema counts types. */
import { isObject } from '../basics/json.ts';

/** One test for each name that `type` may use; numbers that JSON cannot write are no numbers. */
export const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: value => typeof value === 'string',
  number: Number.isFinite,
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
};
