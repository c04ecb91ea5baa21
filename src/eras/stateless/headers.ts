/** Body fields mirrored into HTTP headers: which, how a value is written and read, and whether both say the same. */
import { readObject } from '../../protocol/identity.ts';
import type { Params } from '../../rpc/message.ts';
import { type Annotation, readAnnotations } from './header-annotations.ts';

/** Names of the headers of this era. */
export const headerNames: {
  readonly version: 'MCP-Protocol-Version';
  readonly method: 'Mcp-Method';
  readonly name: 'Mcp-Name';
  readonly parameter: 'Mcp-Param-';
} = {
  version: 'MCP-Protocol-Version',
  method: 'Mcp-Method',
  name: 'Mcp-Name',
  parameter: 'Mcp-Param-',
};

/** Methods that have a `Mcp-Name`, and the parameter it mirrors. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The parameter that `Mcp-Name` mirrors in a request of this method, `more` being the methods of extensions; nothing for
 * methods without that header.
 */
export function nameField(method: string, more: Readonly<Record<string, string>> = {}): string | undefined {
  if (Object.hasOwn(named, method)) return named[method];
  return Object.hasOwn(more, method) ? more[method] : undefined;
}

const prefix = '=?base64?';
const suffix = '?=';
const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A value as header text: as it is when it is plain, else in base64 between the marks that say so. */
export function encodeHeaderValue(value: string | number | boolean): string {
  const text = String(value);
  if (/^(?![ \t])[\t\x20-\x7e]*$/.test(text) && !/[ \t]$/.test(text) && !isMarked(text)) return text;
  let bytes = '';
  for (const byte of utf8.encode(text)) bytes += String.fromCharCode(byte);
  return `${prefix}${btoa(bytes)}${suffix}`;
}

/** What header text stands for. Only text with both marks is decoded, and refused when it is not exact base64. */
export function decodeHeaderValue(
  text: string,
): { readonly ok: true; readonly value: string } | { readonly ok: false } {
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (!isMarked(trimmed)) return { ok: true, value: trimmed };
  const coded = trimmed.slice(prefix.length, -suffix.length);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(coded) || coded.length % 4 !== 0) return { ok: false };
  try {
    const decoded = atob(coded);
    // Bits that nobody reads would give one value several spellings.
    if (btoa(decoded) !== coded) return { ok: false };
    const bytes = Uint8Array.from(decoded, character => character.charCodeAt(0));
    return { ok: true, value: strictUtf8.decode(bytes) };
  } catch {
    return { ok: false };
  }
}

function isMarked(text: string): boolean {
  return text.startsWith(prefix) && text.endsWith(suffix) && text.length >= prefix.length + suffix.length;
}

/** The `Mcp-Param-*` headers of a tool call; none when an annotation of the schema is not valid. */
export function parameterHeaders(schema: unknown, args: unknown): Record<string, string> {
  const read = readAnnotations(schema);
  const headers: Record<string, string> = {};
  if (!read.ok) return headers;
  for (const annotation of read.headers) {
    const value = valueAt(args, annotation);
    if (isPlain(value)) headers[headerNames.parameter + annotation.header] = encodeHeaderValue(value);
  }
  return headers;
}

/** Reads a header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** Why the `Mcp-Param-*` headers of a tool call do not say what its arguments say; nothing when they do. */
export function compareParameters(schema: unknown, args: unknown, header: ReadHeader): string | undefined {
  const read = readAnnotations(schema);
  if (!read.ok) return undefined;
  for (const annotation of read.headers) {
    const name = headerNames.parameter + annotation.header;
    const why = compareValue(valueAt(args, annotation), header(name.toLowerCase()));
    if (why !== undefined) return `${name} ${why} (arguments.${annotation.path.join('.')})`;
  }
  return undefined;
}

/** Why a header does not mirror the value of the body; nothing when it does, or when there is nothing to mirror. */
export function compareValue(value: unknown, header: string | undefined): string | undefined {
  if (header === undefined) {
    return isPlain(value) ? 'is missing though the body has the value' : undefined;
  }
  const decoded = decodeHeaderValue(header);
  if (!decoded.ok) return 'is not valid base64 of UTF-8 text';
  if (!isPlain(value)) return 'is present though the body has no such value';
  const same =
    typeof value === 'number'
      ? /^[+-]?[0-9]+(\.[0-9]+)?$/.test(decoded.value) && Number(decoded.value) === value
      : decoded.value === String(value);
  return same ? undefined : 'is not what the body says';
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function valueAt(args: unknown, { path }: Annotation): unknown {
  let value = args;
  for (const key of path) {
    const holder: Params = readObject(value);
    value = Object.hasOwn(holder, key) ? holder[key] : undefined;
  }
  return value;
}
