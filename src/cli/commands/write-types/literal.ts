/** The type of one JSON value. */
import { arrayOf, memberName, quote, type TypeText, unknownType, whole } from './type-text.ts';

/** How deep a value is spelled out. */
const deepest = 6;

export function literalOf(value: unknown, depth = 0): TypeText {
  if (value === null) return whole('null');
  if (typeof value === 'string') return whole(quote(value));
  if (typeof value === 'boolean') return whole(String(value));
  // JSON has numbers that are too large for one here.
  if (typeof value === 'number') return whole(Number.isFinite(value) ? JSON.stringify(value) : 'number');
  if (typeof value !== 'object') return unknownType;
  if (depth > deepest) return Array.isArray(value) ? arrayOf(unknownType) : whole('object');
  if (Array.isArray(value)) {
    return {
      text: `readonly [${value.map(each => literalOf(each, depth + 1).text).join(', ')}]`,
      form: 'array',
    };
  }
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `readonly ${memberName(name)}: ${literalOf(each, depth + 1).text}`);
  return whole(members.length === 0 ? '{ readonly [key: string]: never }' : `{ ${members.join('; ')} }`);
}
