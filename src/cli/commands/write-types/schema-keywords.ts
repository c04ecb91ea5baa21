/** What the keywords of a schema come to, one by one; nothing here looks inside members or items. */
import { isObject } from '../../../basics/json.ts';
import { type References, rootUri, type Target } from '../../../schema/references.ts';
import { literalOf } from './literal.ts';
import { type TypeText, unionOf, unknownType, whole } from './type-text.ts';

type Schema = Readonly<Record<string, unknown>>;

/** How many values are spelled out. */
const mostLiterals = 500;

/** What the schema refers to, if that is there. */
export function targetOf(schema: Schema, references: References): Target | undefined {
  const reference = schema['$ref'] ?? schema['$recursiveRef'] ?? schema['$dynamicRef'];
  return typeof reference === 'string' ? references.find(reference, rootUri) : undefined;
}

/** True when a schema comes back to itself without a member or an item between. */
export function leadsBack(start: Schema, references: References): boolean {
  const seen = new Set<unknown>();
  const queue: Schema[] = [start];
  for (const schema of queue) {
    const target = targetOf(schema, references)?.schema;
    const joined = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => list(schema[keyword]));
    for (const next of [target, ...joined]) {
      if (next === start) return true;
      if (!isObject(next) || seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return false;
}

export const plainTypes: ReadonlyMap<string, TypeText> = new Map([
  ['string', whole('string')],
  ['number', whole('number')],
  ['integer', whole('number')],
  ['boolean', whole('boolean')],
  ['null', whole('null')],
]);

const ofObjects = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const ofArrays = ['items', 'prefixItems'];
const joining = ['$ref', '$recursiveRef', '$dynamicRef', 'allOf', 'anyOf', 'oneOf'];

function speaksOf(schema: Schema, keywords: readonly string[]): boolean {
  return keywords.some(keyword => schema[keyword] !== undefined);
}

/** The types that are meant where none is said. */
export function impliedTypes(schema: Schema): string[] {
  return [
    ...(speaksOf(schema, ofObjects) ? ['object'] : []),
    ...(speaksOf(schema, ofArrays) ? ['array'] : []),
  ];
}

/** True for an object of which only the schemas that are joined to it say more. */
export function isSaidElsewhere(schema: Schema): boolean {
  return !speaksOf(schema, ofObjects) && speaksOf(schema, joining);
}

/** What `const` and `enum` say. */
export function literalsOf(schema: Schema): TypeText[] {
  const values = list(schema['enum']);
  const spelt = values.length <= mostLiterals;
  return [
    ...('const' in schema ? [literalOf(schema['const'])] : []),
    ...(values.length > 0 ? [unionOf(values.map(value => (spelt ? literalOf(value) : kindOf(value))))] : []),
  ];
}

function kindOf(value: unknown): TypeText {
  return plainTypes.get(value === null ? 'null' : typeof value) ?? unknownType;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
