/** The door to validation: a schema in, something that judges values out. */

import { isObject } from '../basics/json.ts';
import { judge } from './checker.ts';
import { modernise } from './dialect.ts';
import { inspect } from './inspect.ts';
import type { Issue } from './issues.ts';
import { defaultLimits, measure, type SchemaLimits } from './limits.ts';
import { beginPatterns, PatternLimitError } from './pattern.ts';
import { dropUndefined } from './present.ts';
import type { Remotes } from './references.ts';
import { asObjectSchema } from './root.ts';
import { isStandardSchema, type JsonSchemaObject, type Schema } from './schema.ts';
import { SchemaError } from './schema-error.ts';
import { compileSimple, type Rule } from './simple.ts';
import { describeStandard, judgeStandard } from './standard.ts';
import { beyondLimits, type Verdict } from './verdict.ts';

export type { Verdict } from './verdict.ts';

/** A schema that was checked once and can judge many values. */
export interface CompiledSchema<T = unknown> {
  /**
   * The JSON Schema that describes accepted values, as it is shown to peers and models: the caller's own object, or a
   * copy where the root had to be repaired, or what the schema's library says.
   */
  readonly json: JsonSchemaObject;
  /** What a reader should know: an unknown dialect, a repaired root. */
  readonly notes: readonly string[];
  /**
   * Answers at once where it can; the first value that needs the full checker loads it. Never throws for a value of
   * plain JSON Schema; a schema library's own exceptions pass through. Properties that are undefined count as absent.
   */
  validate(value: unknown): Verdict<T> | Promise<Verdict<T>>;
}

/** How to compile. */
export interface CompileOptions {
  /** `object`: the root must describe an object, as tool arguments do; a missing type is added. `any` by default. */
  readonly root?: 'object' | 'any';
  /** Schemas that `$ref` may name by URI. Nothing is ever fetched. */
  readonly remotes?: Remotes;
  /** Which side of a library's schema is shown; `input` by default. */
  readonly io?: 'input' | 'output';
  /** Bounds that differ from the defaults. */
  readonly limits?: Partial<SchemaLimits>;
}

/**
 * Checks a schema and makes it ready; synchronous, and cheap beside one request. Booleans are schemas too.
 * Throws a SchemaError that names the place, the value, the reason and the remedy.
 */
export function compileSchema(schema: Schema | boolean, options: CompileOptions = {}): CompiledSchema {
  const limits = { ...defaultLimits, ...options.limits };
  const remotes = options.remotes ?? {};
  const library = isStandardSchema(schema);
  const plain = library ? describeStandard(schema, options.io ?? 'input') : readPlain(schema);
  measure(plain, limits);
  const { json, notes: repairs } =
    options.root === 'object' ? asObjectSchema(plain) : { json: plain, notes: [] };
  const { notes: findings, draft4, idKeyword } = inspect(json, remotes, limits);
  const notes = [...findings, ...repairs];
  const shown = isObject(json) ? json : json === true ? {} : { not: {} };
  if (library) return { json: shown, notes, validate: value => judgeStandard(schema, value) };

  const rule = compileSimple(json);
  if (rule !== undefined) return { json: shown, notes, validate: value => judgeSimple(rule, value) };
  const present = dropUndefined(json, { parts: 0, deepest: limits.depth + 1 });
  const checkable = draft4 ? modernise(present, idKeyword) : present;
  const named = nameRemotes(remotes);
  return { json: shown, notes, validate: value => judge(checkable, named, value) };
}

function judgeSimple(rule: Rule, value: unknown): Verdict<unknown> {
  try {
    beginPatterns();
    if (rule(value, [])) return { ok: true, value };
    const issues: Issue[] = [];
    beginPatterns();
    rule(value, [], issues);
    return { ok: false, issues };
  } catch (error) {
    if (error instanceof PatternLimitError) return beyondLimits(error.message);
    throw error;
  }
}

function readPlain(schema: unknown): JsonSchemaObject | boolean {
  if (typeof schema === 'boolean') return schema;
  const remedy = 'give JSON Schema as a plain object, or a schema that follows Standard Schema';
  if (!isObject(schema)) {
    throw new SchemaError({ pointer: '#', value: schema, reason: 'it is not a schema', remedy });
  }
  if (!isPlain(schema)) {
    const reason = 'it is an instance of a class that does not follow Standard Schema';
    throw new SchemaError({ pointer: '#', reason, remedy });
  }
  for (const [name, value] of Object.entries(schema)) {
    if (!isStandardSchema(value) && !(isObject(value) && !isPlain(value))) continue;
    const reason = 'it is an object of schemas, not a schema';
    throw new SchemaError({ pointer: `#/${name}`, reason, remedy: 'wrap it, as in z.object({ … })' });
  }
  return schema;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // A plain object of another realm has a root prototype of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The checker looks remotes up with and without an empty fragment. */
function nameRemotes(remotes: Remotes): Remotes {
  const named: Record<string, unknown> = {};
  for (const [uri, schema] of Object.entries(remotes)) {
    named[uri] = schema;
    named[uri.replace(/#$/, '')] = schema;
  }
  return named;
}
