/** Two schemas for one value as one; what one schema cannot say of both is noted. */
import { isObject } from '../../basics/json.ts';
import type { Visit } from './dialect.ts';
import type { Node } from './schema-index.ts';

type Merge = (a: unknown, b: unknown) => unknown;

/** Choices of one union with choices of another; beyond this the second union is left out. */
const mostPairs = 32;

/** What `a` says comes first where only one can be kept. */
export function mergeSchemas(a: Node, b: Node, visit: Pick<Visit, 'lose'>): Node {
  const merged: Record<string, unknown> = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const mine = merged[keyword];
    if (mine === undefined) merged[keyword] = value;
    else if (value !== undefined && !isSame(mine, value)) {
      const both = merges.get(keyword)?.(mine, value);
      if (both !== undefined) merged[keyword] = both;
      else if (!quiet.has(keyword)) {
        visit.lose(keyword, 'of several that hold here together, only the first is kept');
      }
    }
  }
  return merged;
}

const larger: Merge = (a, b) => Math.max(Number(a), Number(b));
const smaller: Merge = (a, b) => Math.min(Number(a), Number(b));
const together: Merge = (a, b) => ({ allOf: [a, b] });
const pairs: Merge = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length * b.length > mostPairs) return undefined;
  return a.flatMap(first => b.map(second => ({ allOf: [first, second] })));
};
const shared: Merge = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  const others = new Set(b.map(each => JSON.stringify(each)));
  const both = a.filter(each => others.has(JSON.stringify(each)));
  return both.length === 0 ? undefined : both;
};
const byName: Merge = (a, b) => {
  if (!isObject(a) || !isObject(b)) return undefined;
  const entries = Object.entries(b).map(([name, schema]) => [
    name,
    Object.hasOwn(a, name) && !isSame(a[name], schema) ? together(a[name], schema) : schema,
  ]);
  return Object.fromEntries([...Object.entries(a), ...entries]);
};
const names: Merge = (a, b) =>
  Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : undefined;

const types: Merge = (a, b) => {
  const [mine, others] = [listOf(a), listOf(b)];
  const both = mine.flatMap(type => {
    if (others.includes(type)) return [type];
    if (type === 'integer' && others.includes('number')) return [type];
    return type === 'number' && others.includes('integer') ? ['integer'] : [];
  });
  return both.length < 2 ? both[0] : both;
};

const merges: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ['type', types],
  ['enum', shared],
  ['properties', byName],
  ['patternProperties', byName],
  ['dependentSchemas', byName],
  ['required', names],
  ['items', together],
  ['contains', together],
  ['propertyNames', together],
  ['anyOf', pairs],
  ['oneOf', pairs],
  ['additionalProperties', (a, b) => (a === false || b === false ? false : together(a, b))],
  ['unevaluatedProperties', (a, b) => (a === false || b === false ? false : together(a, b))],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(
    keyword => [keyword, larger] as const,
  ),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(
    keyword => [keyword, smaller] as const,
  ),
]);

/** The nearer word wins, and nobody misses the other. */
const quiet: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'readOnly',
  'writeOnly',
  'deprecated',
]);

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Same JSON, members in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === typeof b && JSON.stringify(a) === JSON.stringify(b));
}

/** Each value once, in order; values are the same when their JSON is. */
export function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value] as const)).values()];
}
