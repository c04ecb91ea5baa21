/** Any value as JSON that may be kept: secrets masked, long texts cut, pictures as their size, errors as what they say. */
import { isObject, parseJson } from '../../basics/json.ts';
import { redact } from '../../basics/redact.ts';
import { namesSecret, secretPart } from '../../basics/secret-names.ts';
import { shorten } from '../../basics/shorten.ts';

const longestText = 8192;
/** Characters of a text that is looked into as JSON. */
const longestJson = 16_384;
const deepest = 40;
const mostEntries = 1000;
const mask = '***';

export function tidyValue(value: unknown, secrets: readonly string[] = []): unknown {
  return tidy(value, { secrets, open: new Set(), depth: 0, hides: 'none' });
}

interface Way {
  readonly secrets: readonly string[];
  /** What is being written above this value: seeing it again is a circle. */
  readonly open: Set<object>;
  readonly depth: number;
  /** What is masked for the name that this value stands under. */
  readonly hides: ReturnType<typeof secretPart>;
}

function tidy(value: unknown, way: Way): unknown {
  if (typeof value === 'string') return tidyText(value, way);
  if (typeof value === 'bigint') return tidy(String(value), way);
  if (typeof value === 'number') {
    return way.hides === 'all' || way.secrets.includes(String(value)) ? mask : value;
  }
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (way.open.has(value) || way.depth > deepest) return '[left out]';
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  way.open.add(value);
  const inside = { ...way, depth: way.depth + 1 };
  const written = value instanceof Error ? tidyError(value, inside) : tidyMembers(value, inside);
  way.open.delete(value);
  return written;
}

/** Arguments are often JSON in a text: names that speak of secrets count there as well. */
function tidyText(text: string, way: Way): string {
  if (way.hides !== 'none') return text === '' ? '' : mask;
  const isJson = /^\s*[[{]/.test(text) && text.length <= longestJson && way.depth <= deepest;
  const parsed = isJson ? parseJson(text) : undefined;
  if (parsed?.ok === true) {
    const tidied = JSON.stringify(tidy(parsed.value, { ...way, depth: way.depth + 1 }));
    if (tidied !== JSON.stringify(parsed.value)) return shorten(tidied, longestText, '… [cut]');
  }
  return shorten(redact(text, way.secrets), longestText, '… [cut]');
}

function tidyMembers(value: object, way: Way): unknown {
  if (Array.isArray(value)) return tidyList(value, way);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return tidy(toJSON.call(value), way);
  const entries = Object.entries(value).slice(0, mostEntries);
  return Object.fromEntries(
    entries.map(([name, entry]) => [redact(name, way.secrets), tidyMember(value, name, entry, way)]),
  );
}

/** What stands after an option such as `--token` is its value. */
function tidyList(list: readonly unknown[], way: Way): unknown {
  const kept = list.slice(0, mostEntries).map((entry, index) => {
    const before = list[index - 1];
    const isValue = typeof before === 'string' && typeof entry === 'string' && !entry.startsWith('-');
    const [, option = ''] = (isValue && /^--?([a-z][\w.-]*)$/i.exec(before)) || [];
    return tidy(entry, namesSecret(option) ? { ...way, hides: 'all' } : way) ?? null;
  });
  return list.length > mostEntries ? [...kept, `[${list.length - mostEntries} more]`] : kept;
}

function tidyMember(owner: object, name: string, entry: unknown, way: Way): unknown {
  const isBinary = name === 'blob' || (name === 'data' && isObject(owner) && 'mimeType' in owner);
  if (isBinary && typeof entry === 'string') return `[base64, ${Math.floor((entry.length * 3) / 4)} bytes]`;
  const hides = way.hides === 'none' && !isSchema(entry) ? secretPart(name) : way.hides;
  return tidy(entry, { ...way, hides });
}

/** What a tool's schema says of an argument with such a name is no secret. */
function isSchema(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { type, $ref, anyOf, oneOf, allOf } = entry;
  const isTyped = typeof type === 'string' ? typesOfSchemas.has(type) : Array.isArray(type);
  return isTyped || $ref !== undefined || [anyOf, oneOf, allOf].some(Array.isArray);
}

const typesOfSchemas = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function tidyError(error: Error, way: Way): unknown {
  const { name, message, cause } = error;
  const { toJSON } = error as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return tidy({ ...(toJSON.call(error) as object) }, way);
  return { name, message: tidy(message, way), ...(cause === undefined ? {} : { cause: tidy(cause, way) }) };
}
