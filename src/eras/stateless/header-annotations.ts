/** Which parameters of a tool its input schema wants mirrored into headers, and whether it says so in a valid way. */
import { readObject } from '../../protocol/identity.ts';

/** One annotated parameter. */
export interface Annotation {
  /** The name as annotated, without the prefix that all such headers have. */
  readonly header: string;
  /** Where the value stands in the arguments. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

export type Annotations =
  | { readonly ok: true; readonly headers: readonly Annotation[] }
  | { readonly ok: false; readonly reason: string };

const keyword = 'x-mcp-header';
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** More nodes than a schema of a list has; it also ends a schema that contains itself. */
const mostNodes = 100_000;

const none: Annotations = { ok: true, headers: [] };
const known = new WeakMap<object, Annotations>();

/** Reads the annotations of a tool's input schema. Remembered per schema, which must not change afterwards. */
export function readAnnotations(schema: unknown): Annotations {
  if (typeof schema !== 'object' || schema === null) return none;
  let read = known.get(schema);
  if (!read) {
    read = walk(schema);
    known.set(schema, read);
  }
  return read;
}

/** A schema within the schema; `path` is there as long as only `properties` led to it. */
type Node = { readonly schema: unknown; readonly path: readonly string[] | undefined };

function walk(root: object): Annotations {
  const headers: Annotation[] = [];
  const names = new Set<string>();
  const nodes: Node[] = [{ schema: root, path: [] }];
  for (let at = 0; at < nodes.length; at += 1) {
    if (at >= mostNodes) return { ok: false, reason: `the schema has more than ${mostNodes} parts` };
    const { schema, path } = nodes[at] as Node;
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) continue;
    if (Object.hasOwn(schema, keyword)) {
      const found = readOne(readObject(schema), path);
      if (typeof found === 'string') return { ok: false, reason: found };
      const name = found.header.toLowerCase();
      if (names.has(name)) return { ok: false, reason: `two parameters have the ${keyword} "${name}"` };
      names.add(name);
      headers.push(found);
    }
    pushParts(readObject(schema), path, nodes);
  }
  return headers.length === 0 ? none : { ok: true, headers };
}

function readOne(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[] | undefined,
): Annotation | string {
  const { [keyword]: header, type } = schema;
  if (path === undefined || path.length === 0) {
    return `${keyword} stands where "properties" alone do not lead, so no argument belongs to it`;
  }
  const where = `the ${keyword} of "${path.join('.')}"`;
  if (typeof header !== 'string' || !token.test(header)) {
    const shown = (JSON.stringify(header) ?? 'nothing').slice(0, 60);
    return `${where} must be a header name of letters, digits and !#$%&'*+-.^_\`|~, got ${shown}`;
  }
  if (types.has(type)) return { header, path, type: type as Annotation['type'] };
  const shown = (JSON.stringify(type) ?? 'none').slice(0, 60);
  return `${where} needs a parameter of type string, integer or boolean, got ${shown}`;
}

const single = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const maps = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

function pushParts(
  schema: Readonly<Record<string, unknown>>,
  path: readonly string[] | undefined,
  nodes: Node[],
): void {
  for (const [key, part] of Object.entries(readObject(schema['properties']))) {
    nodes.push({ schema: part, path: path === undefined ? undefined : [...path, key] });
  }
  for (const key of single) if (key in schema) nodes.push({ schema: schema[key], path: undefined });
  for (const key of lists) {
    const parts = schema[key];
    if (Array.isArray(parts)) for (const part of parts) nodes.push({ schema: part, path: undefined });
  }
  for (const key of maps) {
    for (const part of Object.values(readObject(schema[key]))) nodes.push({ schema: part, path: undefined });
  }
}
