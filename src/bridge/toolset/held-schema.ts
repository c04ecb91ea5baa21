/** The schema that a model reads when some arguments are held back: what is left to say about the others. */
import { isObject } from '../../basics/json.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { keepReferences, lookUp } from './held-references.ts';

/** What becomes of an argument: sent, with a value that is known or made for each call; or never sent. */
export type Fate = { readonly sent: true; readonly value?: unknown } | { readonly sent: false };

export type Fates = ReadonlyMap<string, Fate>;

/** `exact` says that nothing was left out which may refuse a call: else the schema takes more than the server does. */
interface Left {
  readonly schema: JsonSchemaObject | boolean;
  readonly exact: boolean;
}

interface Walk {
  readonly root: JsonSchemaObject;
  readonly fates: Fates;
  /** Whether the schema holds for every call, and not in some case only. */
  readonly always: boolean;
  /** References that led here. */
  readonly path: readonly string[];
}

/**
 * Speaks of the same object without these arguments, through references, alternatives and conditions. Never refuses
 * what the whole schema would take. Throws a TypeError where no call could be made, or where a part cannot be read.
 */
export function withoutHeld(root: JsonSchemaObject, fates: Fates): JsonSchemaObject {
  const { schema } = walk(root, { root, fates, always: true, path: ['#'] });
  return keepReferences(isObject(schema) ? schema : {}, root);
}

const impossible: Left = { schema: false, exact: true };

function walk(schema: unknown, at: Walk): Left {
  if (!isObject(schema))
    return schema === false ? refuse(at, 'its schema takes no call') : { schema: true, exact: true };
  for (const keyword of ['$dynamicRef', '$recursiveRef']) {
    if (keyword in schema)
      throw new TypeError(`its arguments stand behind a "${keyword}", which is not followed`);
  }
  const { $ref: reference, ...rest } = schema;
  if (typeof reference === 'string') return walk(withTarget(reference, rest, at), follow(at, reference));
  const parts: Left[] = [];
  const left: Record<string, unknown> = { ...schema };
  let exact = ownKeywords(left, schema, at, parts);
  if (exact === undefined) return impossible;
  for (const part of [...alternatives(left, at), ...conditions(left, at)]) parts.push(part);
  const extra = parts.filter(part => part.schema !== true);
  if (parts.some(part => part.schema === false)) return impossible;
  exact &&= parts.every(part => part.exact);
  if (extra.length > 0) left['allOf'] = [...asList(left['allOf']), ...extra.map(part => part.schema)];
  // What was left out may have been what made a property known.
  if (!exact) delete left['unevaluatedProperties'];
  return { schema: left, exact };
}

function refuse({ always }: Walk, reason: string): Left {
  if (always) throw new TypeError(reason);
  return impossible;
}

function follow(at: Walk, reference: string): Walk {
  if (at.path.includes(reference) || at.path.length > 32) {
    throw new TypeError(`its arguments are described by a reference that leads to itself, "${reference}"`);
  }
  return { ...at, path: [...at.path, reference] };
}

const beside: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'title',
  'description',
  'type',
  '$comment',
]);

/** The schema that is meant in the place of the reference, with what stands beside it. */
function withTarget(reference: string, rest: JsonSchemaObject, { root }: Walk): JsonSchemaObject | boolean {
  const target = lookUp(root, reference);
  if (!isObject(target) && typeof target !== 'boolean') {
    throw new TypeError(`its arguments are described by "${reference}", which is not followed`);
  }
  if (!isObject(target)) return target && rest;
  // Up to draft-07 what stands beside a reference does not count.
  const isOld = /draft-0[3-7]/.test(String(root['$schema'] ?? ''));
  const kept = Object.entries(rest).filter(([key]) => !isOld || beside.has(key));
  if (kept.every(([key]) => beside.has(key))) return { ...target, ...Object.fromEntries(kept) };
  return { ...Object.fromEntries(kept), allOf: [...asList(rest['allOf']), target] };
}

/** The keywords that speak of members by name and number. Undefined when they refuse every call. */
function ownKeywords(
  left: Record<string, unknown>,
  schema: JsonSchemaObject,
  at: Walk,
  parts: Left[],
): boolean | undefined {
  let exact = true;
  const sent = [...at.fates].filter(([, fate]) => fate.sent).map(([name]) => name);
  for (const [name, fate] of at.fates) {
    if (!fate.sent) continue;
    const verdict = judgeMember(schema, name, fate, at.root);
    if (verdict === false) {
      refuse(at, `the value pinned for "${name}" does not fit its schema`);
      return undefined;
    }
    exact &&= verdict === true;
  }
  if (isObject(schema['properties'])) left['properties'] = omit(schema['properties'], at.fates);
  const needs = asList(schema['required']);
  const missing = needs.find(name => at.fates.get(name as string)?.sent === false);
  if (missing !== undefined) {
    refuse(at, cannotHide(String(missing), 'it is required and has no default'));
    return undefined;
  }
  const required = needs.filter(name => !at.fates.has(name as string));
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependent = schema[keyword];
    if (isObject(dependent)) left[keyword] = dependents(dependent, at, required, parts);
  }
  setOrDelete(left, 'required', required.length > 0 ? [...new Set(required)] : undefined);
  const fewer = (limit: unknown): number | undefined =>
    typeof limit === 'number' ? Math.max(0, limit - sent.length) : undefined;
  setOrDelete(left, 'minProperties', fewer(schema['minProperties']) || undefined);
  setOrDelete(left, 'maxProperties', fewer(schema['maxProperties']));
  for (const keyword of ['const', 'enum']) {
    if (!(keyword in left)) continue;
    delete left[keyword];
    exact = false;
  }
  return exact;
}

/** What an argument that is there asks of others; one that is not sent asks nothing. */
function dependents(
  dependent: Readonly<Record<string, unknown>>,
  at: Walk,
  required: unknown[],
  parts: Left[],
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, needs] of Object.entries(dependent)) {
    const fate = at.fates.get(name);
    if (fate?.sent === false) continue;
    if (!Array.isArray(needs)) {
      if (fate) parts.push(walk(needs, at));
      else kept[name] = walk(needs, { ...at, always: false }).schema;
      continue;
    }
    const missing = needs.find(need => at.fates.get(need as string)?.sent === false);
    if (missing !== undefined) throw new TypeError(cannotHide(String(missing), `"${name}" requires it`));
    const others = needs.filter(need => !at.fates.has(need as string));
    if (fate) required.push(...others);
    else kept[name] = others;
  }
  return kept;
}

function alternatives(left: Record<string, unknown>, at: Walk): readonly Left[] {
  const parts: Left[] = [];
  const { allOf, anyOf, oneOf } = left;
  if (Array.isArray(allOf)) {
    delete left['allOf'];
    parts.push(...allOf.map(part => walk(part, at)));
  }
  for (const [keyword, list] of Object.entries({ anyOf, oneOf })) {
    if (!Array.isArray(list)) continue;
    delete left[keyword];
    const all = list.map(part => walk(part, { ...at, always: false }));
    const open = all.filter(part => part.schema !== false);
    const exact = all.every(part => part.exact);
    if (open.length === 0)
      parts.push(refuse(at, `no call fits its "${keyword}" with what is pinned and hidden`));
    // Of two that cannot be told apart any more, both may fit.
    else if (exact) left[keyword] = open.map(part => part.schema);
    else parts.push({ schema: { anyOf: open.map(part => part.schema) }, exact: false });
  }
  return parts;
}

function conditions(left: Record<string, unknown>, at: Walk): readonly Left[] {
  const sometimes = { ...at, always: false };
  const parts: Left[] = [];
  if ('not' in left) {
    const inner = walk(left['not'], sometimes);
    delete left['not'];
    if (!inner.exact) parts.push({ schema: true, exact: false });
    else if (inner.schema === true)
      parts.push(refuse(at, 'no call fits its "not" with what is pinned and hidden'));
    else if (inner.schema !== false) left['not'] = inner.schema;
  }
  if (!('if' in left)) return parts;
  const { if: condition, then: yes = true, else: no = true } = left;
  for (const keyword of ['if', 'then', 'else']) delete left[keyword];
  const inner = walk(condition, sometimes);
  if (!inner.exact) return [...parts, { schema: true, exact: false }];
  if (typeof inner.schema === 'boolean') return [...parts, walk(inner.schema ? yes : no, at)];
  const [first, second] = [walk(yes, sometimes), walk(no, sometimes)];
  left['if'] = inner.schema;
  if (first.schema !== true) left['then'] = first.schema;
  if (second.schema !== true) left['else'] = second.schema;
  return [...parts, { schema: true, exact: first.exact && second.exact }];
}

/** Whether the schema takes this member; undefined when only the call will tell. */
function judgeMember(
  schema: JsonSchemaObject,
  name: string,
  fate: Fate,
  root: JsonSchemaObject,
): boolean | undefined {
  const { properties, patternProperties, additionalProperties, propertyNames } = schema;
  if (patternProperties !== undefined || propertyNames !== undefined) return undefined;
  const own =
    isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  if (own === undefined || own === true) return true;
  if (own === false) return false;
  return 'value' in fate && isObject(own) ? judge(own, fate.value, root) : undefined;
}

function judge(schema: JsonSchemaObject, value: unknown, root: JsonSchemaObject): boolean | undefined {
  try {
    const { $schema, $defs, definitions } = root;
    const scope = Object.entries({ $schema, $defs, definitions }).filter(([, part]) => part !== undefined);
    const verdict = compileSchema({ ...Object.fromEntries(scope), ...schema }).validate(value);
    return 'ok' in verdict ? verdict.ok : undefined;
  } catch {
    // It refers to a part that is not here.
    return undefined;
  }
}

function cannotHide(name: string, why: string): string {
  return `the argument "${name}" cannot be hidden: ${why}; pin it instead`;
}

function omit(record: Readonly<Record<string, unknown>>, names: Fates): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

function setOrDelete(record: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) delete record[key];
  else record[key] = value;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
