/** Asks for the arguments that a tool or a prompt needs and that were not typed. */
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { askField } from './ask-field.ts';
import type { Asker } from './asker.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** The names that `schema` requires and `given` lacks. */
export function missingNames({ required }: JsonSchemaObject, given: Arguments): readonly string[] {
  const names = Array.isArray(required) ? required.filter(each => typeof each === 'string') : [];
  return names.filter(name => !Object.hasOwn(given, name));
}

/** What was given and what was typed in answer; without the rest when the person ended the input. */
export async function askMissing(
  asker: Asker,
  schema: JsonSchemaObject,
  given: Arguments,
  signal: AbortSignal,
): Promise<Arguments> {
  const missing = missingNames(schema, given);
  if (missing.length === 0) return given;
  return asker.converse(async dialogue => {
    const added: [string, unknown][] = [];
    for (const name of missing) {
      const asked = await askField(dialogue, schema, name);
      if (asked.kind === 'ended') break;
      if (asked.kind === 'value') added.push([name, asked.value]);
    }
    return { ...given, ...Object.fromEntries(added) };
  }, signal);
}
