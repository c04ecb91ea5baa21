/** The dialects of JSON Schema: which are known by name, and what draft-04 writes in a way of its own. */
import { isObject } from '../basics/json.ts';
import { keywords } from './keywords.ts';
import type { JsonSchemaObject } from './schema.ts';

const known: Readonly<Record<string, string>> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
  'json-schema.org/draft-06/schema': 'draft-06',
  'json-schema.org/draft-04/schema': 'draft-04',
  'json-schema.org/schema': '2020-12',
};

/** The dialect that `$schema` names: 2020-12 when there is none, undefined when it is not known. */
export function readDialect(schema: JsonSchemaObject): string | undefined {
  const named = schema['$schema'];
  if (typeof named !== 'string') return '2020-12';
  return known[named.replace(/^https?:\/\//, '').replace(/#$/, '')];
}

/** True when the schema uses a form that only draft-04 has. */
export function isDraft4Form(schema: JsonSchemaObject): boolean {
  return typeof schema['exclusiveMinimum'] === 'boolean' || typeof schema['exclusiveMaximum'] === 'boolean';
}

/** A copy in which draft-04's `id` and boolean exclusive limits are written as every later draft has them. */
export function modernise(schema: unknown, idKeyword: 'id' | '$id'): unknown {
  if (!isObject(schema)) return schema;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    const holds = keywords.get(name)?.holds;
    define(copy, name, holds === undefined ? value : moderniseInside(value, holds === 'map', idKeyword));
  }
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    if (copy[exclusive] === true && limit in copy) copy[exclusive] = copy[limit];
    else delete copy[exclusive];
  }
  if (idKeyword === 'id' && typeof copy['id'] === 'string') copy['$id'] = copy['id'];
  return copy;
}

function moderniseInside(value: unknown, isMap: boolean, idKeyword: 'id' | '$id'): unknown {
  if (Array.isArray(value)) return value.map(each => modernise(each, idKeyword));
  if (!isMap || !isObject(value)) return modernise(value, idKeyword);
  const copy: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) define(copy, name, modernise(each, idKeyword));
  return copy;
}

function define(target: Record<string, unknown>, name: string, value: unknown): void {
  // A property may be named "__proto__".
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
