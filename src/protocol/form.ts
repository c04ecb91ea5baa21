/** Forms that a person can be asked to fill in: which schemas they may have, and the values that stand in them. */
import { isObject } from '../basics/json.ts';

/** What makes a field more than a field. */
const nesting = [
  ...['properties', 'patternProperties', 'additionalProperties', 'prefixItems', 'contains', 'items'],
  ...['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else', '$ref', '$dynamicRef', 'dependentSchemas'],
];

/** Why no client can show a form for this schema; nothing when it can. */
export function formFault(schema: unknown): string | undefined {
  if (!isObject(schema) || schema['type'] !== 'object') return 'requestedSchema must have type "object"';
  const { properties = {}, required = [] } = schema;
  if (!isObject(properties)) return 'properties must be an object of fields';
  for (const [name, field] of Object.entries(properties)) {
    const fault = fieldFault(field);
    if (fault !== undefined) return `the field "${name}" ${fault}`;
  }
  const named = Array.isArray(required) && required.every(each => Object.hasOwn(properties, String(each)));
  return named ? undefined : 'required must be a list of names of its fields';
}

/** The values that a form starts with. */
export function formDefaults(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const given = Object.entries(properties).flatMap(([name, field]) =>
    isObject(field) && field['default'] !== undefined ? [[name, field['default']] as const] : [],
  );
  return Object.fromEntries(given);
}

function fieldFault(field: unknown): string | undefined {
  if (!isObject(field)) return 'is not a schema';
  switch (field['type']) {
    case 'string':
      return stringFault(field);
    case 'number':
    case 'integer':
    case 'boolean':
      return nestingFault(field);
    case 'array':
      return listFault(field);
    default:
      return `has the type ${JSON.stringify(field['type'])}; a form has strings, numbers, booleans and choices`;
  }
}

function stringFault(field: Readonly<Record<string, unknown>>): string | undefined {
  const { enum: values, enumNames, oneOf } = field;
  if (values === undefined && oneOf === undefined) return nestingFault(field);
  if (values !== undefined && oneOf !== undefined) return 'has both enum and oneOf; give one of them';
  if (oneOf !== undefined) return titledFault(oneOf, 'oneOf') ?? nestingFault(field, 'oneOf');
  if (!areTexts(values)) return 'must have a list of texts for its enum';
  const named = enumNames === undefined || (areTexts(enumNames) && enumNames.length === values.length);
  return named ? nestingFault(field) : 'must have one of enumNames for each value of its enum';
}

function listFault(field: Readonly<Record<string, unknown>>): string | undefined {
  const { items } = field;
  if (!isObject(items)) return 'is a list without items; give the choices in items.enum or items.anyOf';
  const { type, enum: values, anyOf } = items;
  if (anyOf !== undefined) return titledFault(anyOf, 'items.anyOf') ?? nestingFault(field, 'items');
  if (type !== 'string' || !areTexts(values)) return 'is a list of something else than choices of texts';
  return nestingFault(field, 'items');
}

function titledFault(choices: unknown, where: string): string | undefined {
  const fits =
    Array.isArray(choices) &&
    choices.length > 0 &&
    choices.every(
      each => isObject(each) && typeof each['const'] === 'string' && typeof each['title'] === 'string',
    );
  return fits ? undefined : `must have a const and a title, both texts, in each of its ${where}`;
}

function nestingFault(field: Readonly<Record<string, unknown>>, but?: string): string | undefined {
  const nested = nesting.find(member => member !== but && field[member] !== undefined);
  return nested === undefined ? undefined : `has "${nested}", and the fields of a form are flat`;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string');
}
