/** The arguments of a call as the model wrote them, read into one JSON object and tidied to its schema. */
import { isObject, parseJson } from '../../basics/json.ts';
import { sketch } from '../../basics/sketch.ts';
import {
  restoreArgumentNames,
  type TidyChange,
  tidyArguments,
} from '../../projection/tidy/tidy-arguments.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';

export type ReadArguments =
  | {
      readonly ok: true;
      readonly value: Readonly<Record<string, unknown>>;
      /** What was tidied, as sentences. */
      readonly changes: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Nothing at all and `null` are read as no arguments: models write both for a tool without any. With `tidy`, slips that
 * the schema does not allow are mended.
 */
export function readArguments(raw: string, schema: JsonSchemaObject, tidy: boolean): ReadArguments {
  const parsed = parseJson(raw.trim() === '' ? '{}' : raw);
  if (!parsed.ok) {
    return { ok: false, reason: `are not valid JSON (${parsed.reason}); send one JSON object` };
  }
  const given = parsed.value ?? {};
  // Names that a provider could not take are given back in any case.
  const { value, changes } = (tidy ? tidyArguments : restoreArgumentNames)(given, schema);
  if (!isObject(value)) return { ok: false, reason: `must be one JSON object, not ${sketch(value)}` };
  return { ok: true, value, changes: changes.map(describeChange) };
}

function describeChange({ path, message }: TidyChange): string {
  return path.length === 0 ? `the whole ${message}` : `"${path.join('.')}" ${message}`;
}
