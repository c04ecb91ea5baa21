/** Opens a formula in place: references and `allOf` followed, alternatives that do not fit the value left out. */
import { isObject } from '../../basics/json.ts';
import type { Node } from '../steps/schema-index.ts';
import { type Formula, type Look, mayLook, mostLevels, type Opened, type Stated } from './formula.ts';
import { mayFit } from './may-fit.ts';

export function openFormula(formula: Formula, value: unknown, look: Look, level = 0): Opened {
  const nodes: { readonly node: Node; readonly base: string }[] = [];
  const unions: (readonly Formula[])[] = [...formula.any];
  for (const { schema, base } of inPlace(formula.all, look)) {
    nodes.push({ node: schema, base });
    for (const union of [schema['anyOf'], schema['oneOf']]) {
      if (Array.isArray(union)) unions.push(union.map(part => ({ all: [{ schema: part, base }], any: [] })));
    }
  }
  const groups: (readonly Opened[])[] = [];
  for (const union of level > mostLevels ? [] : unions) {
    const fitting = union.filter(each => mayFit(each, value, look, level + 1));
    const [only, ...others] = fitting.map(each => openFormula(each, value, look, level + 1));
    // Where none fits the value is refused anyway, and nothing can be learned.
    if (only === undefined) continue;
    if (others.length > 0) groups.push([only, ...others]);
    else {
      nodes.push(...only.nodes);
      groups.push(...only.groups);
    }
  }
  return { nodes, groups };
}

/** Every name that some schema of this place lists, whatever applies. */
export function namesIn(formula: Formula, look: Look): ReadonlySet<string> {
  const names = new Set<string>();
  const all = [...formula.all];
  const groups = formula.any.flat();
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    all.push(...group.all);
    groups.push(...group.any.flat());
  }
  for (const { schema } of inPlace(all, look, alternatives)) {
    for (const name of Object.keys(schema['properties'] ?? {})) names.add(name);
  }
  return names;
}

/** Schemas that may apply to the same value, beside those that do. */
function alternatives(schema: Node): readonly unknown[] {
  const lists = [schema['anyOf'], schema['oneOf']].filter(list => Array.isArray(list));
  return [
    ...lists.flat(),
    schema['then'],
    schema['else'],
    ...Object.values(schema['dependentSchemas'] ?? {}),
  ];
}

/** The schemas that apply to one value, through references and `allOf`; each once. */
function* inPlace(
  stated: readonly Stated[],
  look: Look,
  further: (schema: Node) => readonly unknown[] = () => [],
): Iterable<{ readonly schema: Node; readonly base: string }> {
  const waiting = [...stated];
  const seen = new Set<unknown>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { schema } = next;
    if (!isObject(schema) || seen.has(schema) || !mayLook(look)) continue;
    seen.add(schema);
    const base = look.index.placeOf(schema)?.base ?? next.base;
    yield { schema, base };
    const target = typeof schema['$ref'] === 'string' ? look.index.find(schema['$ref'], base) : undefined;
    if (target !== undefined) waiting.push(target);
    const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
    for (const part of [...parts, ...further(schema)]) waiting.push({ schema: part, base });
  }
}
