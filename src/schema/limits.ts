/** How large a schema may be, so that one from elsewhere cannot cost more than it is worth. */
import { SchemaError } from './schema-error.ts';

/** Bounds on one schema and the remotes it uses together. */
export interface SchemaLimits {
  /** Characters of the schema as JSON, about; 1 Mi by default. */
  readonly bytes: number;
  /** Levels of nesting; 200 by default. */
  readonly depth: number;
  /** Schemas inside the schema; 20,000 by default. */
  readonly subschemas: number;
  /** Schemas that `allOf`, `anyOf`, `oneOf`, `not`, `if` and `$ref` may apply to one value; 10,000 by default. */
  readonly combinators: number;
}

export const defaultLimits: SchemaLimits = {
  bytes: 1_048_576,
  depth: 200,
  subschemas: 20_000,
  combinators: 10_000,
};

/** Throws a SchemaError when `schema` is not JSON data, too large or too deep. Returns its size in characters, about. */
export function measure(schema: unknown, limits: SchemaLimits): number {
  if (!isContainer(schema)) return sizeOf(schema, '#');
  let bytes = 0;
  // Only what holds something waits here: all else is most of a schema.
  const open: Container[] = [{ value: schema, depth: 0, pointer: '#' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth, pointer } = next;
    // A cycle of objects ends here too.
    if (depth >= limits.depth) {
      throw tooLarge('depth', pointer, `it is nested deeper than ${limits.depth} levels, or contains itself`);
    }
    bytes += 2;
    for (const key of Object.keys(value)) {
      const each = (value as Record<string, unknown>)[key];
      bytes += key.length + 4;
      if (isContainer(each)) open.push({ value: each, depth: depth + 1, pointer: within(pointer, key) });
      else bytes += sizeOf(each, pointer, key);
      if (bytes > limits.bytes) {
        throw tooLarge('bytes', within(pointer, key), `it is larger than ${limits.bytes} bytes`);
      }
    }
  }
  return bytes;
}

interface Container {
  readonly value: object;
  readonly depth: number;
  readonly pointer: string;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The error for a limit; `name` is the option that moves it. */
export function tooLarge(name: keyof SchemaLimits, pointer: string, reason: string): SchemaError {
  return new SchemaError({
    pointer,
    reason,
    remedy: `simplify it, or raise limits.${name} if you trust its author`,
  });
}

/** Of what holds nothing; it stands at `pointer`, or under `key` there. */
function sizeOf(value: unknown, pointer: string, key?: string): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value === 'boolean') return 4;
  if (typeof value === 'number' && Number.isFinite(value)) return 8;
  if (value === undefined) return 0;
  throw new SchemaError({
    pointer: key === undefined ? pointer : within(pointer, key),
    value,
    reason: 'it is not JSON',
    remedy: 'write the schema as plain JSON data',
  });
}

function within(pointer: string, key: string): string {
  // Only for messages; a long one says no more than a short one.
  return pointer.length > 200 ? pointer : `${pointer}/${key}`;
}
