/** The door to validation: a schema in, something that judges values out. */

import { isObject } from '../basics/json.ts';
import { type Inspection, inspect } from './inspect.ts';
import type { Judge } from './judge.ts';
import { defaultLimits, measure, type SchemaLimits } from './limits.ts';
import type { Remotes } from './references.ts';
import { asObjectSchema } from './root.ts';
import { isStandardSchema, type JsonSchemaObject, type Schema } from './schema.ts';
import { SchemaError } from './schema-error.ts';
import { describeStandard, judgeStandard } from './standard.ts';
import type { Verdict } from './verdict.ts';

export type { Verdict } from './verdict.ts';

/** A schema that was checked once and can judge many values; it is read again by the first, and must not change. */
export interface CompiledSchema<T = unknown> {
  /**
   * The JSON Schema that describes accepted values, as it is shown to peers and models: the caller's own object, or a
   * copy where the root had to be repaired, or what the schema's library says.
   */
  readonly json: JsonSchemaObject;
  /** What a reader should know: an unknown dialect, a repaired root. */
  readonly notes: readonly string[];
  /**
   * Answers at once, unless a schema library takes its time, or the first value of all has come and the judge has to be
   * loaded. Never throws for a value of plain JSON Schema; a library's own exceptions pass through. Properties that are
   * undefined count as absent.
   */
  validate(value: unknown): Verdict<T> | Promise<Verdict<T>>;
}

/** How to compile. */
export interface CompileOptions {
  /** `object`: the root must describe an object, as tool arguments do; a missing type is added. `any` by default. */
  readonly root?: 'object' | 'any';
  /** Schemas that `$ref` may name by URI, which must not change either. Nothing is ever fetched. */
  readonly remotes?: Remotes;
  /** Which side of a library's schema is shown; `input` by default. */
  readonly io?: 'input' | 'output';
  /** Bounds that differ from the defaults. */
  readonly limits?: Partial<SchemaLimits>;
}

/**
 * Checks a schema; synchronous, and cheap beside one request. Booleans are schemas too.
 * Throws a SchemaError that names the place, the value, the reason and the remedy.
 */
export function compileSchema(schema: Schema | boolean, options: CompileOptions = {}): CompiledSchema {
  const limits = { ...defaultLimits, ...options.limits };
  const remotes = options.remotes ?? {};
  const library = isStandardSchema(schema);
  const plain = library ? describeStandard(schema, options.io ?? 'input') : readPlain(schema);
  const bytes = measure(plain, limits);
  const { json, notes: repairs } =
    options.root === 'object' ? asObjectSchema(plain) : { json: plain, notes: [] };
  const inspection = inspect(json, remotes, limits);
  const notes = [...inspection.notes, ...repairs];
  const shown = isObject(json) ? json : json === true ? {} : { not: {} };
  if (library) return { json: shown, notes, validate: value => judgeStandard(schema, value) };

  let known: Inspection | undefined = inspection;
  // Who compiles for one value judges it at once; a second look costs as much as the first.
  void soon.then(() => {
    known = undefined;
  });
  const { refers } = inspection;
  const inspected = {
    schema: json,
    bytes,
    refers,
    inspection: () => known ?? inspect(json, remotes, limits),
  };
  let judge: Judge | undefined;
  const validate = (value: unknown): Verdict<unknown> | Promise<Verdict<unknown>> => {
    if (judge) return judge(value);
    if (!judging) return loadJudging().then(() => validate(value));
    judge = judging.judgeOf(inspected);
    // Whoever asks by the schema comes straight to the judge from now on.
    compiled.validate = judge;
    return judge(value);
  };
  const compiled = { json: shown, notes, validate };
  return compiled;
}

const soon = Promise.resolve();

/** Half of what knows schemas is not needed to list tools, and a start-up reads less. */
let judging: typeof import('./judge.ts') | undefined;

/** For who expects values soon: has the judge by then. That it cannot be loaded is for the first value to say. */
export function expectValues(): void {
  if (!judging) loadJudging().catch(() => {});
}

async function loadJudging(): Promise<void> {
  judging = await import('./judge.ts');
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
