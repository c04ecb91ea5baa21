/** Lets a caller write null where it could have left a property out, without saying so in the schema it reads. */
import { compileSchema } from '../schema/compile.ts';
import type { Issue } from '../schema/issues.ts';
import type { FromJsonSchema, JsonSchemaObject } from '../schema/schema.ts';
import type { StandardIssue, StandardSchema } from '../schema/standard-schema.ts';

/**
 * A schema that is shown as `schema` and judges by it, after nulls were taken out of the properties that are not
 * required: many clients fill what a person left empty with null.
 */
export function withOptionalNulls<const S extends JsonSchemaObject>(
  schema: S,
): StandardSchema<FromJsonSchema<S>> {
  const compiled = compileSchema(schema);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const show = (): Record<string, unknown> => structuredClone(schema) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'tenon',
      async validate(value) {
        const verdict = await compiled.validate(withoutNulls(value, required));
        if (verdict.ok) return { value: verdict.value as FromJsonSchema<S> };
        return { issues: verdict.issues.map(toStandardIssue) };
      },
      jsonSchema: { input: show, output: show },
    },
  };
}

/** A forbidden name goes by `keys` of its parent: readers then see which names are known. */
function toStandardIssue({ path, message, keyword }: Issue): StandardIssue {
  if (keyword !== 'additionalProperties') return { path, message };
  return { path: path.slice(0, -1), message, keys: path.slice(-1) } as StandardIssue;
}

function withoutNulls(value: unknown, required: ReadonlySet<unknown>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, each]) => each !== null || required.has(key)),
  );
}
