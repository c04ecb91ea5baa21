/** The arguments of a call as they are sent back to a provider. */
import { isObject, parseJson } from '../../basics/json.ts';

/** The object that the model wrote; what is none is kept in one, since providers refuse anything else. */
export function readArguments(raw: string): Readonly<Record<string, unknown>> {
  if (raw.trim() === '') return {};
  const parsed = parseJson(raw);
  return parsed.ok && isObject(parsed.value) ? parsed.value : { malformed: raw };
}

/** The same as text: as the model wrote it wherever that can be read again. */
export function argumentsText(raw: string): string {
  if (raw.trim() === '') return '{}';
  const parsed = parseJson(raw);
  return parsed.ok && isObject(parsed.value) ? raw : JSON.stringify({ malformed: raw });
}
