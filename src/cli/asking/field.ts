/** What a field of a form is to a person: its label, its choices, and what a typed line means in it; pure. */
import { isObject } from '../../basics/json.ts';
import { schemasAt } from '../../schema/lookup.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { plainLine, showValue } from '../print.ts';
import { choicesOf, kindsOf, readTyped } from './typed-text.ts';

/** One of the values that a field may have. */
interface Choice {
  readonly value: unknown;
  readonly label: string;
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** Title, what it is for, and what may stand there; one line. */
  readonly about: string;
  /** In the order of the schema; empty when anything may stand there. */
  readonly choices: readonly Choice[];
  readonly isList: boolean;
  /** What an empty line gives; undefined when it gives nothing. */
  readonly preset: unknown;
  /** Each schema that speaks of it. */
  readonly schemas: readonly JsonSchemaObject[];
}

const longestAbout = 400;

/** The field `name` of an object that `root` describes. */
export function fieldOf(root: JsonSchemaObject, name: string): Field {
  const { required } = root;
  const schemas = schemasAt(root, [name]);
  const isList = kindsOf(schemas).has('array');
  const choices = choicesFor(isList ? schemasAt(root, [name, 0]) : schemas);
  const own = ownSchema(root, name);
  const isRequired = Array.isArray(required) && required.includes(name);
  const words = [own['title'], own['description']].filter(each => typeof each === 'string' && each !== '');
  const limits = ['format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems']
    .filter(limit => own[limit] !== undefined)
    .map(limit => `${limit} ${showValue(own[limit])}`);
  const isWhole = schemas.some(
    ({ type }) => type === 'integer' || (Array.isArray(type) && type.includes('integer')),
  );
  const kind = [...kindsOf(schemas)]
    .map(each => (each === 'number' && isWhole ? 'integer' : each))
    .join(' or ');
  const facts = [...(kind === '' ? [] : [kind]), ...limits, ...(isRequired ? [] : ['optional'])];
  const about = `${name}${words.length > 0 ? `: ${words.join('. ')}` : ''} (${facts.join(', ')})`;
  return {
    name,
    isRequired,
    about: plainLine(about).slice(0, longestAbout),
    choices,
    isList,
    preset: own['default'],
    schemas,
  };
}

/**
 * What the line means: the number or the name of a choice, several with commas between in a list, or a value. What is
 * none of the choices is taken as it is, since others may be permitted too; `faultOf` judges it.
 */
export function readLine(field: Field, line: string, root: JsonSchemaObject): unknown {
  const { name, choices, isList, schemas } = field;
  const typed = readTyped(line, schemas);
  if (isList && Array.isArray(typed)) return typed;
  const each = isList ? schemasAt(root, [name, 0]) : schemas;
  const parts = isList ? line.split(',').map(part => part.trim()) : [line];
  const values = parts.map(part => {
    const chosen = choose(choices, part.trim());
    return chosen === undefined ? readTyped(part, each) : chosen.value;
  });
  return isList ? values : values[0];
}

function choose(choices: readonly Choice[], typed: string): Choice | undefined {
  const exact = choices.find(({ value }) => value === typed || showValue(value) === typed);
  if (exact !== undefined) return exact;
  const same = typed.toLowerCase();
  const named = choices.filter(({ value, label }) =>
    [String(value), label].some(each => each.toLowerCase() === same),
  );
  if (named.length === 1) return named[0];
  if (/^[1-9]\d*$/.test(typed)) return choices[Number(typed) - 1];
  const begins = choices.filter(({ label }) => same !== '' && label.toLowerCase().startsWith(same));
  return begins.length === 1 ? begins[0] : undefined;
}

function choicesFor(schemas: readonly JsonSchemaObject[]): readonly Choice[] {
  const names = schemas.flatMap(schema => titlesOf(schema));
  const values = [...new Set(schemas.flatMap(choicesOf))];
  const isBoolean = values.length === 0 && [...kindsOf(schemas)].join() === 'boolean';
  if (isBoolean) return [true, false].map(value => ({ value, label: value ? 'yes' : 'no' }));
  return values.map(value => {
    const title = names.find(each => each.value === value)?.label;
    return { value, label: plainLine(title ?? (typeof value === 'string' ? value : showValue(value))) };
  });
}

/** `enumNames`, and the title beside a `const`. */
function titlesOf(schema: JsonSchemaObject): readonly Choice[] {
  const { enum: values, enumNames, const: only, title } = schema;
  if (only !== undefined && typeof title === 'string') return [{ value: only, label: title }];
  if (!Array.isArray(values) || !Array.isArray(enumNames)) return [];
  return values.flatMap((value: unknown, index) =>
    typeof enumNames[index] === 'string' ? [{ value, label: enumNames[index] }] : [],
  );
}

/** What the schema says of the member itself. */
export function ownSchema({ properties }: JsonSchemaObject, name: string): JsonSchemaObject {
  const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(own) ? own : {};
}
