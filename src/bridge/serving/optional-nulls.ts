/** Lets a caller write null where it could have left a property out, without saying so in the schema it reads. */
import { isObject } from '../../basics/json.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { FromJsonSchema, JsonSchemaObject } from '../../schema/schema.ts';
import type { StandardSchema } from '../../schema/standard-schema.ts';

/**
 * A schema that is shown as `schema` and judges by it, after nulls were taken out of the properties that are not
 * required: many clients fill what a person left empty with null.
 */
export function withOptionalNulls<const S extends JsonSchemaObject>(
  schema: S,
): StandardSchema<FromJsonSchema<S>> {
  const compiled = compileSchema(schema);
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const optional = Object.keys(schema['properties'] ?? {}).filter(name => !required.includes(name));
  const show = (): Record<string, unknown> => structuredClone(schema) as Record<string, unknown>;
  return {
    '~standard': {
      version: 1,
      vendor: 'tenon',
      async validate(value) {
        const verdict = await compiled.validate(withoutNulls(value, optional));
        // Issues keep their keyword, by which readers of the verdict word them as their own.
        return verdict.ok ? { value: verdict.value as FromJsonSchema<S> } : { issues: verdict.issues };
      },
      jsonSchema: { input: show, output: show },
    },
  };
}

/** Nulls under other names stay, so that a name which is not known is still refused. */
function withoutNulls(value: unknown, optional: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, each]) => each !== null || !optional.includes(name)),
  );
}
