/** Schemas of libraries: they validate themselves and say their JSON Schema, both through Standard Schema. */
import { messageOf } from '../basics/failure.ts';
import { isObject } from '../basics/json.ts';
import { phrases } from './fixed-phrases.ts';
import type { Issue } from './issues.ts';
import { SchemaError } from './schema-error.ts';
import type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.ts';
import { beyondLimits, isStackOverflow, tooDeep, type Verdict } from './verdict.ts';

const remedies: Readonly<Record<string, string>> = {
  zod: 'use a schema of zod 4.2 or later (its classic API; not zod/mini, not zod 3), or pass z.toJSONSchema(schema)',
  valibot: 'wrap it in toStandardJsonSchema(schema) of @valibot/to-json-schema',
  arktype: 'use arktype 2.1.28 or later, or pass schema.toJsonSchema()',
};

/** The JSON Schema of a library's schema. Throws a SchemaError when it cannot give one. */
export function describeStandard(schema: StandardSchema, io: 'input' | 'output'): Record<string, unknown> {
  const { vendor, jsonSchema } = schema['~standard'];
  const remedy = remedies[vendor] ?? 'pass plain JSON Schema';
  if (typeof jsonSchema?.[io] !== 'function') {
    throw new SchemaError({ pointer: '#', reason: `this ${vendor} schema cannot give JSON Schema`, remedy });
  }
  const strict = attempt(() => jsonSchema[io]({ target: 'draft-2020-12' }));
  // Dates, transforms and their like have no JSON form: described as anything, the library still judges them.
  const loose = { unrepresentable: 'any', errorMode: 'ignore' };
  const { value, error } =
    'value' in strict
      ? strict
      : attempt(() => jsonSchema[io]({ target: 'draft-2020-12', libraryOptions: loose }));
  if (!isObject(value)) {
    const reason = `this ${vendor} schema has no JSON Schema: ${error === undefined ? 'it gave none' : messageOf(error)}`;
    throw new SchemaError({
      pointer: '#',
      reason,
      remedy: 'pass plain JSON Schema, or leave out what has no JSON form',
      cause: error,
    });
  }
  // Each peer reads the dialect it knows; 2020-12 is what was asked for.
  const { $schema: _, ...json } = value;
  return json;
}

/** Lets the library judge. Throws what the library throws, except when the stack ran out. */
export function judgeStandard(
  schema: StandardSchema,
  value: unknown,
): Verdict<unknown> | Promise<Verdict<unknown>> {
  try {
    const result = schema['~standard'].validate(value);
    // Not every promise is of this realm.
    return 'then' in result ? Promise.resolve(result).then(toVerdict, failVerdict) : toVerdict(result);
  } catch (error) {
    return failVerdict(error);
  }
}

function attempt(run: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

function failVerdict(error: unknown): Verdict<unknown> {
  if (isStackOverflow(error)) return beyondLimits(tooDeep);
  throw error;
}

function toVerdict(result: StandardResult<unknown>): Verdict<unknown> {
  if (result.issues === undefined) return { ok: true, value: result.value };
  const issues = result.issues.flatMap(toIssues);
  return { ok: false, issues: issues.length > 0 ? issues : [{ path: [], message: phrases.noFit }] };
}

function toIssues(issue: StandardIssue): Issue[] {
  const path = [...(issue.path ?? [])].map(toStep);
  // Some libraries name forbidden properties in one issue of their parent.
  const { keys, keyword } = issue as { keys?: unknown; keyword?: unknown };
  // Our own issues, which came round through a schema that wraps a compiled one.
  if (typeof keyword === 'string') return [{ path, message: issue.message, keyword }];
  if (Array.isArray(keys) && keys.length > 0 && keys.every(key => typeof key === 'string')) {
    return keys.map(key => ({
      path: [...path, key],
      message: phrases.forbidden,
      keyword: 'additionalProperties',
    }));
  }
  return [{ path, message: toMessage(issue.message) }];
}

function toStep(part: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof part === 'object' ? part.key : part;
  return typeof key === 'symbol' ? String(key) : key;
}

/** Set off, because the library's sentence follows the place. */
function toMessage(message: unknown): string {
  const text = String(message);
  return `is refused: ${text.length > 200 ? `${text.slice(0, 199)}…` : text}`;
}
