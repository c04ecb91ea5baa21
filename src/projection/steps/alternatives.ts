/** `anyOf` and `oneOf`: at most one union for a schema, with nothing beside it but words for its reader. */
import { isObject } from '../../basics/json.ts';
import type { Step, Visit } from './dialect.ts';
import { mergeSchemas } from './merge.ts';
import { annotations } from './modernise.ts';
import type { Node } from './schema-index.ts';
import { peek, settle } from './settle.ts';

/** Alternatives of two unions written out together; beyond this the second is left out. */
const mostPairs = 32;

/** One way to fit, and what it says with its references opened. */
interface Branch {
  readonly schema: unknown;
  readonly says: Node;
}

/** Expects a settled schema. What was null among the alternatives becomes `visit.nullable`. */
export const joinAlternatives: Step = (node, visit) => {
  const { anyOf, oneOf, ...base } = node;
  if (!Array.isArray(anyOf) && !Array.isArray(oneOf)) return node;
  const union = Array.isArray(anyOf) && Array.isArray(oneOf) ? pair(anyOf, oneOf, visit) : (anyOf ?? oneOf);
  if (Array.isArray(oneOf)) visit.lose('oneOf', 'it is shown as anyOf: that only one may fit is not said');
  const all = (union as readonly unknown[])
    .filter(schema => schema !== false)
    .map(schema => ({ schema, says: peek(schema, visit) }));
  const branches = all.filter(({ says }) => !isNull(says));
  if (branches.length < all.length && mayBeNull(base)) visit.nullable = true;
  return place(withoutNull(base), branches, visit);
};

function place(base: Node, branches: readonly Branch[], visit: Visit): Node {
  const [first, ...more] = branches;
  if (first === undefined) return visit.nullable ? { ...base, type: 'null' } : base;
  const isBare = Object.keys(base).every(keyword => annotations.has(keyword));
  if (more.length === 0) {
    if (isBare && isLoneReference(first.schema)) return { ...base, anyOf: [first.schema] };
    return joinAlternatives(settle({ ...base, allOf: [first.schema] }, visit), visit);
  }
  const choices = gatherChoices(branches);
  if (choices !== undefined) return mergeSchemas(base, choices, visit);
  if (isBare) return { ...base, anyOf: branches.map(({ schema }) => schema) };
  if (branches.every(({ says }) => constrainsOnly(says))) {
    visit.lose('anyOf', 'the alternatives only add conditions, which are checked when the tool is called');
    return base;
  }
  const [words, rest] = split(base);
  return { ...words, anyOf: branches.map(({ schema }) => ({ allOf: [rest, schema] })) };
}

function pair(anyOf: readonly unknown[], oneOf: readonly unknown[], visit: Visit): readonly unknown[] {
  if (anyOf.length * oneOf.length <= mostPairs) {
    return anyOf.flatMap(first => oneOf.map(second => ({ allOf: [first, second] })));
  }
  visit.lose('oneOf', 'of two unions only the first is kept');
  return anyOf;
}

/** Alternatives that name one value each are one list of choices; what is said of each goes into the description. */
function gatherChoices(branches: readonly Branch[]): Node | undefined {
  const values: unknown[] = [];
  const notes: string[] = [];
  const types = new Set<unknown>();
  for (const { says } of branches) {
    const { const: only, enum: list, type, title, description, ...others } = says;
    const named = only === undefined ? list : [only];
    if (!Array.isArray(named) || Object.keys(others).some(keyword => !annotations.has(keyword)))
      return undefined;
    values.push(...named);
    types.add(Array.isArray(type) ? undefined : type);
    const words = description ?? title;
    if (typeof words === 'string')
      notes.push(`${named.map(each => JSON.stringify(each)).join(', ')}: ${words}`);
  }
  const [type] = types;
  if (types.size > 1) return undefined;
  return {
    ...(type === undefined ? {} : { type }),
    enum: values,
    ...(notes.length === 0 ? {} : { description: notes.join('; ') }),
  };
}

function isNull({ type, const: only, enum: list }: Node): boolean {
  return (
    type === 'null' ||
    only === null ||
    (Array.isArray(list) && list.length > 0 && list.every(each => each === null))
  );
}

function mayBeNull({ type }: Node): boolean {
  return type === undefined || (Array.isArray(type) && type.includes('null'));
}

/** Null was taken out of the alternatives, so it must not stay in what they share. */
function withoutNull(base: Node): Node {
  const { type, ...rest } = base;
  if (!Array.isArray(type) || !type.includes('null')) return base;
  const others = type.filter(each => each !== 'null');
  return others.length === 0 ? rest : { ...rest, type: others.length === 1 ? others[0] : others };
}

function constrainsOnly(says: Node): boolean {
  return !['type', 'properties', 'items', 'prefixItems', 'enum', 'const', 'anyOf', 'oneOf'].some(
    keyword => keyword in says,
  );
}

function isLoneReference(schema: unknown): boolean {
  return isObject(schema) && typeof schema['$ref'] === 'string' && Object.keys(schema).length === 1;
}

function split(base: Node): readonly [Node, Node] {
  const entries = Object.entries(base);
  return [
    Object.fromEntries(entries.filter(([keyword]) => annotations.has(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => !annotations.has(keyword))),
  ];
}
