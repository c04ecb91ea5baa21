/** Which schemas stand for a place in a value, for messages: a bounded search that may miss, never a judgement. */
import { isObject } from '../basics/json.ts';
import type { JsonSchemaObject } from './schema.ts';

const mostSchemas = 200;

/** The schemas that speak of the value at `path`, through local `$ref`s and every alternative. */
export function schemasAt(
  root: JsonSchemaObject,
  path: readonly (string | number)[],
): readonly JsonSchemaObject[] {
  let here = spread(root, [root]);
  for (const step of path) {
    const next: unknown[] = [];
    for (const schema of here) next.push(...stepInto(schema, step));
    here = spread(root, next);
  }
  return here;
}

/** The names of the properties that the schemas know. */
export function knownNames(schemas: readonly JsonSchemaObject[]): string[] {
  const names = new Set<string>();
  for (const { properties } of schemas as readonly { properties?: unknown }[]) {
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  return [...names];
}

/** The strings that the schemas allow by `enum` or `const`. */
export function knownChoices(schemas: readonly JsonSchemaObject[]): string[] {
  const choices: unknown[] = [];
  for (const schema of schemas) {
    if (Array.isArray(schema['enum'])) choices.push(...schema['enum']);
    if (schema['const'] !== undefined) choices.push(schema['const']);
  }
  return choices.filter(choice => typeof choice === 'string');
}

function stepInto(schema: JsonSchemaObject, step: string | number): readonly unknown[] {
  if (typeof step === 'number') {
    const { prefixItems, items } = schema;
    const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    return [tuple[step] ?? items];
  }
  const { properties, additionalProperties } = schema;
  return [isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : additionalProperties];
}

function spread(root: JsonSchemaObject, schemas: readonly unknown[]): JsonSchemaObject[] {
  const seen = new Set<JsonSchemaObject>();
  const open = [...schemas];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (!isObject(next) || seen.has(next)) continue;
    if (seen.size >= mostSchemas) break;
    seen.add(next);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const inner = next[keyword];
      // The last one in is looked at first.
      if (Array.isArray(inner)) open.push(...inner.toReversed());
    }
    for (const keyword of ['then', 'else']) open.push(next[keyword]);
    if (typeof next['$ref'] === 'string') open.push(pointAt(root, next['$ref']));
  }
  return [...seen];
}

function pointAt(root: JsonSchemaObject, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
