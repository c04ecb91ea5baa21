/** The Standard Schema and Standard JSON Schema interfaces (standardschema.dev), as far as Tenon reads them. */

/** One reason why a value does not fit. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Which dialect a JSON Schema is asked for, and options that only the library knows. */
export interface JsonSchemaTarget {
  readonly target: 'draft-2020-12' | 'draft-07' | (string & {});
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** A schema of zod, valibot, arktype or any library that follows the interface; may be a function. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> | undefined } | undefined,
    ) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: JsonSchemaTarget) => Record<string, unknown>;
      readonly output: (options: JsonSchemaTarget) => Record<string, unknown>;
    };
  };
}
