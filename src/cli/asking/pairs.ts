/** Arguments that are typed as `key=value`. */
import { isObject } from '../../basics/json.ts';
import { schemasAt } from '../../schema/lookup.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { UsageError } from '../command.ts';
import { kindsOf, readTyped } from './typed-text.ts';

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** Throws a `UsageError` for a word that is no pair. */
export function splitPair(word: string): Pair {
  const at = word.indexOf('=');
  if (at > 0) return { key: word.slice(0, at), value: word.slice(at + 1) };
  throw new UsageError(
    at === 0
      ? `no name stands before the = of ${JSON.stringify(word)}`
      : `${JSON.stringify(word)} is no argument; write name=value`,
  );
}

/** Each value as a text. Throws a `UsageError` for a word that is no pair, and for a name that comes twice. */
export function readTexts(words: readonly string[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const { key, value } of words.map(splitPair)) {
    if (values.has(key)) throw twice(key);
    values.set(key, value);
  }
  return Object.fromEntries(values);
}

/**
 * Each value as the schema of the arguments wants it. A name may come several times where a list is wanted, and one value
 * that is no JSON list is a list of one. Throws a `UsageError` as `readTexts` does.
 */
export function readPairs(
  words: readonly string[],
  schema: JsonSchemaObject,
): Readonly<Record<string, unknown>> {
  const texts = new Map<string, string[]>();
  for (const { key, value } of words.map(splitPair)) texts.set(key, [...(texts.get(key) ?? []), value]);
  return Object.fromEntries([...texts].map(([key, values]) => [key, readOne(key, values, schema)]));
}

function readOne(key: string, values: readonly string[], schema: JsonSchemaObject): unknown {
  const here = schemasAt(schema, [key]);
  const [first = '', ...more] = values;
  const whole = readTyped(first, here);
  if (!kindsOf(here).has('array')) {
    if (more.length > 0) throw twice(key);
    return whole;
  }
  if (more.length === 0 && typeof whole === 'object') return whole;
  const items = schemasAt(schema, [key, 0]).filter(isObject);
  const only = more.length === 0 && kindsOf(here).size > 1;
  return only ? whole : values.map(value => readTyped(value, items));
}

function twice(key: string): UsageError {
  return new UsageError(`the argument ${JSON.stringify(key)} is given twice`);
}
