/** The door to validation: a schema in, something that judges values out. */

import { isFailure, TenonError } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import { nextTurn } from '../basics/next-turn.ts';
import { glanceOf } from './glance.ts';
import { type Inspection, inspect } from './inspect.ts';
import type { Inspected, Judge } from './judge.ts';
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
   * Answers at once, unless a schema library takes its time, or the first value has come that needs more than a glance,
   * and the judge has to be loaded. Never throws for a value of plain JSON Schema; a library's own exceptions pass through. Properties that are
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
  let validateNext: Validate | undefined;
  const compiled = { json: shown, notes, validate };
  return compiled;

  function validate(value: unknown): ReturnType<Validate> {
    // Whoever asks by the schema comes straight there from now on.
    validateNext ??= compiled.validate = prepare();
    return validateNext(value);
  }

  /** For the first value: a schema may be listed for ever and never judge any. */
  function prepare(): Validate {
    const glance = glanceOf(json);
    if (!glance) {
      return judgeLater({
        schema: json,
        bytes,
        refers,
        inspection: () => known ?? inspect(json, remotes, limits),
      });
    }
    // That a schema changes is a mistake, and two opinions would be worse: the judge may come long after the glance.
    const { fits, schema: kept } = glance;
    const judge = judgeLater({
      schema: kept,
      bytes,
      refers,
      inspection: () => inspect(kept, remotes, limits),
    });
    return value => (fits(value) ? { ok: true, value } : judge(value));
  }
}

type Validate = (value: unknown) => Verdict<unknown> | Promise<Verdict<unknown>>;

/** The judge, which is loaded for the first value that gets here. */
function judgeLater(inspected: Inspected): Validate {
  let judge: Judge | undefined;
  const ask: Validate = value => {
    if (judge) return judge(value);
    if (!judging) return loadJudging().then(() => ask(value));
    judge = judging.judgeOf(inspected);
    return judge(value);
  };
  return ask;
}

const soon = Promise.resolve();

/** Half of what knows schemas is not needed to list tools, and a start-up reads less. */
let judging: typeof import('./judge.ts') | undefined;

let expecting = false;

/**
 * For who expects values: loads the judge behind what is being answered now, which leaves with the end of this turn, and
 * not only when it is needed: that may be days later, with the files of the package replaced meanwhile. That it cannot be
 * loaded is for a value to say.
 */
export function expectValues(): void {
  if (expecting) return;
  expecting = true;
  nextTurn(() => nextTurn(() => void loadJudging().catch(() => {})));
}

async function loadJudging(): Promise<void> {
  try {
    judging = await import('./judge.ts');
  } catch (cause) {
    const message = 'the value cannot be judged: a file of this package could not be loaded';
    const hint = 'Start the program again; if that does not help, install the package again.';
    throw new TenonError(message, { cause, hint }, [missing]);
  }
}

const missing = 'JudgeMissing';

/** True for the failure to load the judge, which is nobody's but ours. */
export function isJudgeMissing(thrown: unknown): boolean {
  return isFailure(thrown, missing);
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
