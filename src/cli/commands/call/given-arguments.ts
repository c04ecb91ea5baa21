/** The arguments of a call as they were given: JSON, a file or standard input, and `key=value` over those. */
import { readFileSync } from 'node:fs';
import { isObject } from '../../../basics/json.ts';
import type { JsonSchemaObject } from '../../../schema/schema.ts';
import { readPairs, splitPair } from '../../asking/pairs.ts';
import { type Given, UsageError } from '../../command.ts';
import { readJsonc } from '../../server/jsonc.ts';
import { whyUnreadable } from '../../server/unreadable.ts';

/** What was typed, read as far as that needs no schema. */
export interface TypedArguments {
  readonly base: Readonly<Record<string, unknown>>;
  /** Each a `key=value`. */
  readonly pairs: readonly string[];
  /** Standard input was read, so nothing can be asked there. */
  readonly usesInput: boolean;
}

/** `words`: those after the name of the tool. Throws a `UsageError` for what is no JSON object and no pair. */
export function takeArguments(words: readonly string[], { values }: Given): TypedArguments {
  const { args, 'args-file': file } = values;
  const pairs = words.filter(word => word !== '-');
  const usesInput = pairs.length < words.length || file === '-' || args === '-';
  const sources = [
    ...(typeof args === 'string' && args !== '-' ? [{ name: '--args', text: args }] : []),
    ...(typeof file === 'string' && file !== '-' ? [{ name: file, text: readText(file, file) }] : []),
  ];
  if (sources.length + (usesInput ? 1 : 0) > 1) {
    throw new UsageError(
      'give the arguments by one of --args, --args-file and standard input; name=value adds to it',
    );
  }
  for (const pair of pairs) splitPair(pair);
  if (usesInput) sources.push({ name: 'standard input', text: readText(0, 'standard input') });
  const [source] = sources;
  return { base: source === undefined ? {} : readObject(source), pairs, usesInput };
}

/** All of them, each pair as the schema wants it. */
export function typeArguments(
  { base, pairs }: TypedArguments,
  schema: JsonSchemaObject,
): Readonly<Record<string, unknown>> {
  return { ...base, ...readPairs(pairs, schema) };
}

function readObject({ name, text }: { name: string; text: string }): Readonly<Record<string, unknown>> {
  const read = readJsonc(text);
  if (!read.ok) throw new UsageError(`${name}, line ${read.line}: ${read.reason}`);
  if (isObject(read.value)) return read.value;
  throw new UsageError(`${name} must hold a JSON object with the arguments`);
}

function readText(file: string | 0, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`the arguments cannot be read from ${name}: ${whyUnreadable(error)}`);
  }
}
