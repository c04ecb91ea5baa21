/** The door to validation: a schema in, something that judges values out. */
import type { Issue } from './issues.ts';
import type { JsonSchemaObject, Schema } from './schema.ts';

export type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A schema that was checked once and can judge many values. */
export interface CompiledSchema<T = unknown> {
  /** The JSON Schema that describes accepted values, as it is shown to peers and models. */
  readonly json: JsonSchemaObject;
  /** May answer at once; the first call that needs the full validator loads it. */
  validate(value: unknown): Verdict<T> | Promise<Verdict<T>>;
}

export declare function compileSchema(schema: Schema): CompiledSchema;
