/** References and `allOf`: opened into the schema they stand in, or kept where a provider knows them. */
import { isObject } from '../../basics/json.ts';
import type { Step, Visit } from './dialect.ts';
import { mergeSchemas } from './merge.ts';
import { modernise } from './modernise.ts';
import type { Node } from './schema-index.ts';

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

/** Leaves no reference and no `allOf` at the top of the schema. A recursion ends after one round, with a note. */
export const settle: Step = (node, visit) => {
  const opened = new Set<unknown>();
  const settled = flatten(node, visit.base, visit, opened);
  visit.trail = [...visit.trail, ...opened];
  return settled;
};

/** What the schema says of its value with everything opened; for a look, without a trace. */
export function peek(schema: unknown, visit: Visit): Node {
  return flatten(schema, visit.base, { ...visit, lose: () => undefined }, new Set());
}

function flatten(schema: unknown, outer: string, visit: Visit, opened: Set<unknown>): Node {
  if (!isObject(schema)) return schema === false ? { not: {} } : {};
  const base = visit.index.placeOf(schema)?.base ?? outer;
  const { allOf, ...rest } = modernise(schema, visit);
  let settled: Node = rest;
  for (const keyword of referenceKeywords) {
    const reference = rest[keyword];
    if (typeof reference !== 'string') continue;
    const { [keyword]: _opened, ...others } = settled;
    settled = mergeSchemas(others, open(keyword, reference, base, visit, opened), visit);
  }
  for (const part of Array.isArray(allOf) ? allOf : []) {
    settled = mergeSchemas(settled, flatten(part, base, visit, opened), visit);
  }
  return settled;
}

function open(keyword: string, reference: string, base: string, visit: Visit, opened: Set<unknown>): Node {
  const target = visit.index.find(reference, base);
  if (target === undefined) {
    visit.lose(keyword, `${reference} is taken for any value`);
    return {};
  }
  const { schema } = target;
  if (opened.has(schema)) return {};
  if (!visit.mayOpen()) {
    visit.lose(keyword, 'it is left open, for the schema is too large when written out');
    return {};
  }
  if (isObject(schema) && visit.trail.includes(schema)) {
    visit.lose(keyword, `${reference} comes back to itself; it is written out once, and left open within`);
    return openEnd(schema);
  }
  opened.add(schema);
  return flatten(schema, target.base, visit, opened);
}

/** Of a schema that comes back to itself, what can be said without going on. */
function openEnd({ type, description }: Node): Node {
  return {
    type: typeof type === 'string' && type !== 'array' ? type : 'object',
    ...(typeof description === 'string' ? { description } : {}),
    // Says, to the dialects that tell open from closed, that this is not all.
    additionalProperties: true,
  };
}

/** Keeps a lone reference, written to where its target will stand; opens it where others words stand beside it. */
export const keepLoneReferences: Step = (node, visit) => {
  const target = findTarget(node, visit);
  if (target === undefined || target.schema === false || visit.isRoot) return node;
  const beside = Object.keys(node).filter(keyword => keyword !== '$ref');
  if (beside.length > 0) {
    if (!visit.trail.includes(target.schema)) return node;
    for (const keyword of beside) visit.lose(keyword, 'nothing may stand beside a reference');
  }
  visit.isDone = true;
  return { $ref: visit.define(target) };
};

/** Keeps references with what stands beside them; those of other names become `$ref`. */
export const keepReferences: Step = (node, visit) => {
  const target = findTarget(node, visit);
  const { $ref, $dynamicRef, $recursiveRef, ...rest } = node;
  if (target?.schema === false) return { ...rest, not: {} };
  if (target !== undefined) return { ...rest, $ref: visit.define(target) };
  const reference = $ref ?? $dynamicRef ?? $recursiveRef;
  if (reference === undefined) return node;
  visit.lose('$dynamicRef', `${JSON.stringify(reference)} is taken for any value`);
  return rest;
};

function findTarget(node: Node, visit: Visit): ReturnType<Visit['index']['find']> {
  for (const keyword of referenceKeywords) {
    const reference = node[keyword];
    if (typeof reference === 'string') return visit.index.find(reference, visit.base);
  }
  return undefined;
}
