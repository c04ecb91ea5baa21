/** A text as the value that a schema wants in its place: a number, a boolean, JSON, or the text itself. */
import { parseJson } from '../../basics/json.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';

type Kind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/**
 * The value that `text` stands for where one of `schemas` may hold; the text itself when it stands for none, so that the
 * check against the schema can say why. Where other things than texts may stand, double quotes make a text of anything;
 * where the schemas say nothing, JSON is read as JSON.
 */
export function readTyped(text: string, schemas: readonly JsonSchemaObject[]): unknown {
  const choices = schemas.flatMap(choicesOf);
  if (choices.includes(text)) return text;
  const choice = choices.find(each => typeof each !== 'string' && JSON.stringify(each) === text);
  if (choice !== undefined) return choice;
  const kinds = kindsOf(schemas);
  const parsed = parseJson(text.trim());
  if (!parsed.ok) return text;
  const kind = kindOf(parsed.value);
  if (kind === 'string')
    return kinds.has('string') && kinds.size === 1 && text !== '""' ? text : parsed.value;
  return kinds.size === 0 || kinds.has(kind) ? parsed.value : text;
}

/** The kinds of values that the schemas name; none when they name none. */
export function kindsOf(schemas: readonly JsonSchemaObject[]): ReadonlySet<Kind> {
  const kinds = new Set<Kind>();
  for (const schema of schemas) {
    const { type } = schema;
    for (const name of Array.isArray(type) ? type : [type]) {
      if (name === 'integer') kinds.add('number');
      else if (typeof name === 'string') kinds.add(name as Kind);
    }
    for (const choice of choicesOf(schema)) kinds.add(kindOf(choice));
  }
  return kinds;
}

/** The values that the schema lists. */
export function choicesOf(schema: JsonSchemaObject): readonly unknown[] {
  const { enum: values, const: only } = schema;
  return [...(Array.isArray(values) ? values : []), ...(only === undefined ? [] : [only])];
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as Kind;
}
