/** What Tenon accepts as a schema, and the TypeScript types that follow from one; no validation here. */
import type { StandardSchema } from './standard-schema.ts';

/** A JSON Schema that is an object; dialects 2020-12, 2019-09, draft-07, -06 and -04 are read. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown };

/** Plain JSON Schema, or an object of any library that follows Standard Schema. */
export type Schema = JsonSchemaObject | StandardSchema;

/** What a caller sends for this schema. */
export type InferInput<S> = S extends StandardSchema<infer Input, unknown> ? Input : FromJsonSchema<S>;

/** What a handler receives for this schema, after the library's own transforms. */
export type InferOutput<S> = S extends StandardSchema<unknown, infer Output> ? Output : FromJsonSchema<S>;

/** True for an object or function that carries the Standard Schema interface. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  // arktype's schemas are functions.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: unknown })['~standard'];
  return typeof standard === 'object' && standard !== null && 'validate' in standard;
}

/** The type of the values that a literal JSON Schema describes; `unknown` where that cannot be told. */
export type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer Branch)[] } | { readonly oneOf: readonly (infer Branch)[] }
      ? FromJsonSchema<Branch>
      : S extends { readonly type: infer Type }
        ? FromType<S, Type>
        : unknown;

type FromType<S, Type> = Type extends readonly (infer Each)[]
  ? Each extends unknown
    ? FromOneType<S, Each>
    : never
  : FromOneType<S, Type>;

type FromOneType<S, Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? FromArray<S>
          : Type extends 'object'
            ? FromObject<S>
            : unknown;

type FromArray<S> = S extends { readonly items: infer Items } ? FromJsonSchema<Items>[] : unknown[];

type FromObject<S> = S extends { readonly properties: infer Properties }
  ? Flat<
      {
        -readonly [Key in keyof Properties as Key extends Required<S> ? Key : never]: FromJsonSchema<
          Properties[Key]
        >;
      } & {
        -readonly [Key in keyof Properties as Key extends Required<S> ? never : Key]?: FromJsonSchema<
          Properties[Key]
        >;
      } & (S extends { readonly additionalProperties: false } ? unknown : { [extra: string]: unknown })
    >
  : { [key: string]: unknown };

type Required<S> = S extends { readonly required: readonly (infer Key)[] } ? Key : never;

type Flat<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;
