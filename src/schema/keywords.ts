/** The keywords of JSON Schema: the shape that each must have, and where the schemas inside it stand. */
import { isObject } from '../basics/json.ts';
import { readExpression } from './expression.ts';

/** How the value of a keyword holds further schemas. */
export type Holds = 'schema' | 'list' | 'map' | 'schema-or-list' | 'map-of-schemas-or-names';

/** What is known of one keyword. */
export interface Keyword {
  /** The shape the keyword must have, as a noun. */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  readonly holds?: Holds;
  /** True when the schemas inside judge the same value again, instead of a part of it. */
  readonly inPlace?: true;
}

/** The names that `type` may use. */
export const typeNames: readonly string[] = [
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
];

/** True for what can stand where a schema is expected. */
export function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isObject(value);
}

const isString = (value: unknown): boolean => typeof value === 'string';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
/** A hole in a list, as a stray comma leaves one, is no item either. */
const isListOf = (value: unknown, fits: (item: unknown) => boolean): value is readonly unknown[] =>
  Array.isArray(value) && !value.includes(undefined) && value.every(fits);
const isNames = (value: unknown): boolean => isListOf(value, isString);
const isTypeName = (value: unknown): boolean => isString(value) && typeNames.includes(value as string);
const isSchemas = (value: unknown): boolean => isListOf(value, isSchema);
const isMapOf =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    isObject(value) && Object.values(value).every(each => each === undefined || fits(each));

const schema: Keyword = { expected: 'a schema (an object or a boolean)', fits: isSchema, holds: 'schema' };
const schemaInPlace: Keyword = { ...schema, inPlace: true };
const schemaMap: Keyword = { expected: 'an object of schemas', fits: isMapOf(isSchema), holds: 'map' };
const schemaList: Keyword = { expected: 'an array of schemas', fits: isSchemas, holds: 'list' };
const choices: Keyword = {
  expected: 'an array of at least one schema',
  fits: value => isSchemas(value) && (value as unknown[]).length > 0,
  holds: 'list',
  inPlace: true,
};
const count: Keyword = { expected: 'a whole number, 0 or more', fits: isCount };
const number: Keyword = { expected: 'a number', fits: isNumber };
// A boolean here is draft-04's form.
const exclusive: Keyword = { expected: 'a number', fits: value => isNumber(value) || isBoolean(value) };
const string: Keyword = { expected: 'a string', fits: isString };
const boolean: Keyword = { expected: 'true or false', fits: isBoolean };

const table: Readonly<Record<string, Keyword>> = {
  $id: string,
  $schema: string,
  $ref: string,
  $anchor: string,
  $dynamicRef: string,
  $dynamicAnchor: string,
  $recursiveRef: string,
  $recursiveAnchor: boolean,
  $vocabulary: { expected: 'an object of booleans', fits: isMapOf(isBoolean) },
  $defs: schemaMap,
  definitions: schemaMap,
  type: {
    expected: `one of ${typeNames.join(', ')}, or an array of them`,
    fits: value => isTypeName(value) || (isListOf(value, isTypeName) && value.length > 0),
  },
  enum: { expected: 'an array of the allowed values', fits: Array.isArray },
  multipleOf: { expected: 'a number above 0', fits: value => isNumber(value) && (value as number) > 0 },
  minimum: number,
  maximum: number,
  exclusiveMinimum: exclusive,
  exclusiveMaximum: exclusive,
  minLength: count,
  maxLength: count,
  pattern: {
    expected: 'a regular expression (ECMA-262)',
    fits: value => typeof value === 'string' && readExpression(value) !== undefined,
  },
  format: string,
  items: {
    expected: 'a schema or an array of schemas',
    fits: value => isSchema(value) || isSchemas(value),
    holds: 'schema-or-list',
  },
  prefixItems: schemaList,
  additionalItems: schema,
  unevaluatedItems: schema,
  contains: schema,
  minContains: count,
  maxContains: count,
  minItems: count,
  maxItems: count,
  uniqueItems: boolean,
  properties: schemaMap,
  patternProperties: schemaMap,
  additionalProperties: schema,
  unevaluatedProperties: schema,
  propertyNames: schema,
  required: { expected: 'an array of property names', fits: isNames },
  minProperties: count,
  maxProperties: count,
  dependentRequired: { expected: 'an object of arrays of property names', fits: isMapOf(isNames) },
  dependentSchemas: { ...schemaMap, inPlace: true },
  dependencies: {
    expected: 'an object of schemas or arrays of property names',
    fits: isMapOf(value => isSchema(value) || isNames(value)),
    holds: 'map-of-schemas-or-names',
    inPlace: true,
  },
  allOf: { ...schemaList, inPlace: true },
  anyOf: choices,
  oneOf: choices,
  not: schemaInPlace,
  if: schemaInPlace,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; the table is never awaited
  then: schemaInPlace,
  else: schemaInPlace,
};

/** What is known of a keyword that is checked; nothing for annotations such as `title`, which may hold anything. */
export function keywordOf(name: string): Keyword | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The schemas that stand inside a keyword's value, each with the rest of its pointer. */
export function schemasIn(
  holds: Holds,
  value: unknown,
): readonly (readonly [pointer: string, schema: unknown])[] {
  if (holds === 'schema' || (holds === 'schema-or-list' && !Array.isArray(value))) return [['', value]];
  if (Array.isArray(value)) return value.map((each, index) => [`/${index}`, each] as const);
  if (!isObject(value)) return [];
  return Object.entries(value)
    .filter(([, each]) => isSchema(each))
    .map(([name, each]) => [`/${escapePointer(name)}`, each] as const);
}

/** One name as a part of a JSON pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
