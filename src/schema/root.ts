/** A schema whose root must describe an object, as the arguments of a tool do: repaired where safe, else refused. */
import { isObject } from '../basics/json.ts';
import type { JsonSchemaObject } from './schema.ts';
import { SchemaError } from './schema-error.ts';

/** The schema with `type: "object"` at its root; the same object when it says so already. */
export function asObjectSchema(schema: JsonSchemaObject | boolean): {
  readonly json: JsonSchemaObject;
  readonly notes: readonly string[];
} {
  if (schema === true) return { json: { type: 'object' }, notes: ['the schema true was read as any object'] };
  if (!isObject(schema)) throw notAnObject(schema, '#');
  const { type, nullable, ...rest } = schema;
  if (nullable === true) {
    const { json, notes } = asObjectSchema(type === undefined ? rest : { ...rest, type });
    return { json, notes: [...notes, 'nullable was left out at the root, which is never null'] };
  }
  if (type === 'object') return { json: schema, notes: [] };
  if (type === undefined) {
    return {
      json: { ...objectType, ...schema, ...objectType },
      notes: ['type "object" was added at the root'],
    };
  }
  if (Array.isArray(type) && type.length > 0 && type.every(each => each === 'object')) {
    return { json: { ...schema, ...objectType }, notes: ['type ["object"] was read as "object"'] };
  }
  throw notAnObject(type, '#/type');
}

const objectType = { type: 'object' } as const;

function notAnObject(value: unknown, pointer: string): SchemaError {
  return new SchemaError({
    pointer,
    value,
    reason: 'the root must describe an object',
    remedy: 'give it type "object", and put other values under a property',
  });
}
