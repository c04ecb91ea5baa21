/** Asks for one value until it fits its schema, or the person passes. */
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { plainLine, showValue } from '../print.ts';
import type { Dialogue } from './asker.ts';
import { type Field, fieldOf, readLine } from './field.ts';
import { faultOf } from './field-fault.ts';

export type Asked =
  | { readonly kind: 'value'; readonly value: unknown }
  /** Left empty, and it may be. */
  | { readonly kind: 'passed' }
  /** The person ended the input. */
  | { readonly kind: 'ended' };

/** How many choices are listed. */
const mostShown = 40;

/** Asks for the field `name` of an object that `root` describes. */
export async function askField(dialogue: Dialogue, root: JsonSchemaObject, name: string): Promise<Asked> {
  const field = fieldOf(root, name);
  dialogue.say(field.about);
  const { choices } = field;
  for (const [index, { label }] of choices.slice(0, mostShown).entries()) {
    dialogue.say(`  ${index + 1}) ${label}`);
  }
  if (choices.length > mostShown) dialogue.say(`  … and ${choices.length - mostShown} more`);
  for (;;) {
    const line = await dialogue.ask(promptFor(field));
    if (line === undefined) return { kind: 'ended' };
    if (line.trim() === '' && field.preset === undefined) {
      if (!field.isRequired) return { kind: 'passed' };
      dialogue.say(`${showValue(name)} is needed; type "" for an empty text`);
      continue;
    }
    const value = line.trim() === '' ? field.preset : readLine(field, line, root);
    const fault = await faultOf(root, name, value);
    if (fault === undefined) return { kind: 'value', value };
    dialogue.say(plainLine(fault));
  }
}

function promptFor({ choices, isList, preset, name }: Field): string {
  const several = isList ? ', several with commas' : '';
  const hint =
    choices.length > 0 ? ` [1-${choices.length}${several}]` : isList ? ' [several with commas]' : '';
  const given = preset === undefined ? '' : ` (Enter: ${showValue(preset).slice(0, 40)})`;
  return `${showValue(name).slice(1, -1).slice(0, 40)}${hint}${given}: `;
}
