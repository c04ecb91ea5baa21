/** What a tool or a prompt takes, as it is written in one line; pure. */
import { isObject } from '../../basics/json.ts';
import { shorten } from '../../basics/shorten.ts';
import { knownNames, schemasAt } from '../../schema/lookup.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { plainLine, showValue } from '../print.ts';

const mostArguments = 12;
const mostChoices = 6;
const longestSentence = 160;
const deepest = 3;

/** `path: string, limit?: integer`: the required ones first. */
export function argumentsOf(schema: JsonSchemaObject): string {
  const { required } = schema;
  const names = knownNames(schemasAt(schema, []));
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const ordered = [...names.filter(isRequired), ...names.filter(name => !isRequired(name))];
  const shown = ordered
    .slice(0, mostArguments)
    .map(name => `${plainLine(name)}${isRequired(name) ? '' : '?'}: ${typeOf(schema, [name])}`);
  if (ordered.length > mostArguments) shown.push('…');
  return shown.join(', ');
}

/** `a, b?`, for arguments that are all texts. */
export function namesOf(
  args: readonly { readonly name: string; readonly required?: boolean }[] | undefined,
): string {
  return (Array.isArray(args) ? args : [])
    .filter(isObject)
    .map(({ name, required }) => `${plainLine(String(name))}${required === true ? '' : '?'}`)
    .join(', ');
}

/** The first sentence of a description, on one line. */
export function firstSentence(text: string | undefined): string {
  const line = plainLine(text ?? '').trim();
  const [sentence = ''] = /^.*?[.!?](?=\s|$)/u.exec(line) ?? [line];
  return shorten(sentence, longestSentence);
}

function typeOf(root: JsonSchemaObject, path: readonly (string | number)[]): string {
  const here = schemasAt(root, path);
  const choices = here.flatMap(({ enum: values, const: only }) => [
    ...(Array.isArray(values) ? values : []),
    ...(only === undefined ? [] : [only]),
  ]);
  if (choices.length > 0) {
    const shown = [...new Set(choices.slice(0, mostChoices).map(each => shorten(showValue(each), 40)))];
    return `${shown.join('|')}${choices.length > mostChoices ? '|…' : ''}`;
  }
  const types = here.flatMap(({ type }) => (Array.isArray(type) ? type : [type])).filter(isText);
  const names = [...new Set(types)].map(type =>
    type === 'array' && path.length < deepest ? `${typeOf(root, [...path, 0])}[]` : plainLine(type),
  );
  return names.length === 0 ? 'any' : names.join('|');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
