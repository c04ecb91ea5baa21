/** References inside one schema: where they lead, and how they are kept true when the schema around them is changed. */
import { isObject } from '../../basics/json.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';

/** What `#…` names in `root`; undefined when there is nothing, or when the reference is of another kind. */
export function lookUp(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

/**
 * `changed` with every reference leading to what it led to in `original`: where that was changed too, the original
 * stands beside it as a definition. Throws a TypeError when that cannot be done.
 */
export function keepReferences(changed: JsonSchemaObject, original: JsonSchemaObject): JsonSchemaObject {
  const moved = new Set<string>();
  mapReferences(changed, reference => {
    const target = lookUp(original, reference);
    if (target !== undefined && !isSame(target, lookUp(changed, reference))) moved.add(reference);
    return reference;
  });
  if (moved.size === 0) return changed;
  const definitions = isObject(changed['$defs']) ? changed['$defs'] : {};
  let name = 'original';
  while (Object.hasOwn(definitions, name)) name += '_';
  const there = (reference: string): string => `#/$defs/${name}${reference.slice(1)}`;
  const { $id: _id, $schema: _schema, ...whole } = original as Readonly<Record<string, unknown>>;
  const copy = mapReferences(whole, reference => (isLocal(reference) ? there(reference) : reference));
  const kept = mapReferences(changed, reference => (moved.has(reference) ? there(reference) : reference));
  return {
    ...(kept as JsonSchemaObject),
    $defs: { ...(isObject(kept) ? (kept['$defs'] as object) : {}), [name]: copy },
  };
}

function isLocal(reference: string): boolean {
  return reference === '#' || reference.startsWith('#/');
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Keywords whose value is data, and those whose members have names of their own. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** A copy with other references; shares nothing that it changes. */
function mapReferences(schema: unknown, change: (reference: string) => string, depth = 0): unknown {
  if (Array.isArray(schema)) return schema.map(each => mapReferences(each, change, depth));
  if (!isObject(schema)) return schema;
  if (depth > 0 && typeof schema['$id'] === 'string') {
    throw new TypeError(
      `its schema has a part with an "$id" of its own (${schema['$id']}), which hides where references lead`,
    );
  }
  const members = Object.entries(schema).map(([key, value]) => {
    if (key === '$ref' && typeof value === 'string') return [key, change(value)];
    if (data.has(key)) return [key, value];
    if (!maps.has(key) || !isObject(value)) return [key, mapReferences(value, change, depth + 1)];
    const named = Object.entries(value).map(([name, part]) => [name, mapReferences(part, change, depth + 1)]);
    return [key, Object.fromEntries(named)];
  });
  return Object.fromEntries(members);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
