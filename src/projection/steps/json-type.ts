/** The types of JSON Schema that a value has. */
import { isObject } from '../../basics/json.ts';

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? 'number' : isObject(value) ? 'object' : typeof value;
}

/** A whole number is of two types. */
export function isOf(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}
