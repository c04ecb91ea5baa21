/** Whether a value might fit a schema once it is cleaned up; wrong only by saying that it might. */
import { isObject } from '../../basics/json.ts';
import { namedTypes } from '../../schema/named-types.ts';
import { isOf } from '../steps/json-type.ts';
import type { Node } from '../steps/schema-index.ts';
import { type Formula, type Look, mayLook, mostLevels, type Stated } from './formula.ts';

/** False when it is certain that the value does not fit, whatever else is done to what is inside it. */
export function mayFit({ all, any }: Formula, value: unknown, look: Look, level = 0): boolean {
  if (level > mostLevels) return true;
  return (
    all.every(stated => mayFitSchema(stated, value, look, level)) &&
    any.every(group => group.some(each => mayFit(each, value, look, level + 1)))
  );
}

function mayFitSchema({ schema, base: outer }: Stated, value: unknown, look: Look, level: number): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema) || level > mostLevels || !mayLook(look)) return true;
  if (!fitsAlone(schema, value)) return false;
  const base = look.index.placeOf(schema)?.base ?? outer;
  const fits = (part: unknown): boolean => mayFitSchema({ schema: part, base }, value, look, level + 1);
  const { $ref, allOf, anyOf, oneOf } = schema;
  const target = typeof $ref === 'string' ? look.index.find($ref, base) : undefined;
  if (target !== undefined && !mayFitSchema(target, value, look, level + 1)) return false;
  if (Array.isArray(allOf) && !allOf.every(fits)) return false;
  return [anyOf, oneOf].every(union => !Array.isArray(union) || union.some(fits));
}

/** The keywords beside those that lead to other schemas. */
function fitsAlone(schema: Node, value: unknown): boolean {
  const { enum: choices, const: only, minLength } = schema;
  const types = namedTypes(schema);
  if (types.length > 0 && !types.some(each => isOf(value, each))) return false;
  if (isObject(value)) return fitsNames(schema, value);
  if (Array.isArray(value)) return true;
  if (Array.isArray(choices) && !choices.includes(value)) return false;
  if (only !== undefined && only !== value) return false;
  return !(value === '' && typeof minLength === 'number' && minLength > 0);
}

/** Names that must be there, names that must not, and the values that tell alternatives apart. */
function fitsNames(schema: Node, value: Readonly<Record<string, unknown>>): boolean {
  const { required, properties, additionalProperties, patternProperties } = schema;
  if (Array.isArray(required) && !required.every(name => Object.hasOwn(value, name))) return false;
  const known = isObject(properties) ? properties : {};
  for (const [name, each] of Object.entries(value)) {
    if (!Object.hasOwn(known, name)) {
      // Null under a name that only another alternative lists is taken out again.
      if (additionalProperties === false && patternProperties === undefined && each !== null) return false;
      continue;
    }
    const told = known[name];
    if (!isMark(each) || !isObject(told)) continue;
    const { const: only, enum: choices } = told;
    if (!fitsAlone({ const: only, enum: choices }, each)) return false;
  }
  return true;
}

/** A value that no clean-up changes, as what tells the alternatives of a union apart is. */
function isMark(value: unknown): boolean {
  if (typeof value === 'string') return value !== 'null' && /^\s*[^\s[{]/.test(value);
  return typeof value === 'number' || typeof value === 'boolean';
}
