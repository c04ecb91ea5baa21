/** Any value as JSON that may be kept: secrets masked, long texts cut, pictures as their size, errors as what they say. */
import { isObject } from '../../basics/json.ts';
import { redact } from '../../basics/redact.ts';
import { shorten } from '../../basics/shorten.ts';

const longestText = 8192;
const deepest = 40;
const mostEntries = 1000;
/** Members whose value is a secret whatever it looks like. */
const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key|password|passwd|client[-_]?secret|access[-_]?token|refresh[-_]?token)$/i;

export function tidyValue(value: unknown, secrets: readonly string[] = []): unknown {
  return tidy(value, { secrets, open: new Set(), depth: 0 });
}

interface Way {
  readonly secrets: readonly string[];
  /** What is being written above this value: seeing it again is a circle. */
  readonly open: Set<object>;
  readonly depth: number;
}

function tidy(value: unknown, way: Way): unknown {
  if (typeof value === 'string') return shorten(redact(value, way.secrets), longestText, '… [cut]');
  if (typeof value === 'bigint') return String(value);
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

function tidyMembers(value: object, way: Way): unknown {
  if (Array.isArray(value)) {
    const kept = value.slice(0, mostEntries).map(entry => tidy(entry, way) ?? null);
    return value.length > mostEntries ? [...kept, `[${value.length - mostEntries} more]`] : kept;
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return tidy(toJSON.call(value), way);
  const entries = Object.entries(value).slice(0, mostEntries);
  return Object.fromEntries(entries.map(([name, entry]) => [name, tidyMember(value, name, entry, way)]));
}

function tidyMember(owner: object, name: string, entry: unknown, way: Way): unknown {
  if (secretNames.test(name) && typeof entry === 'string' && entry !== '') return '***';
  const isBinary = name === 'blob' || (name === 'data' && isObject(owner) && 'mimeType' in owner);
  if (isBinary && typeof entry === 'string') return `[base64, ${Math.floor((entry.length * 3) / 4)} bytes]`;
  return tidy(entry, way);
}

function tidyError(error: Error, way: Way): unknown {
  const { name, message, cause } = error;
  const { toJSON } = error as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return tidy({ ...(toJSON.call(error) as object) }, way);
  return { name, message: tidy(message, way), ...(cause === undefined ? {} : { cause: tidy(cause, way) }) };
}
