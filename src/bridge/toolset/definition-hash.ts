/** What a tool says of itself as one text and one hash, so that a change of a single character is seen. */
import { isObject } from '../../basics/json.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';

/** Hashes by `server/tool`, for a file in which approved definitions are kept. */
export type Pins = Readonly<Record<string, string>>;

/**
 * All by which a model or a person judges a tool: name, title, description, annotations and both schemas, as JSON whose
 * keys are in order. Icons and `_meta` are left out.
 */
export function definitionText(listing: ToolListing): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = listing;
  return canonicalJson({ name, title, description, inputSchema, outputSchema, annotations });
}

/** `sha256-` and 64 hexadecimal digits. */
export async function hashDefinition(listing: ToolListing): Promise<string> {
  const bytes = new TextEncoder().encode(definitionText(listing));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  return `sha256-${[...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** JSON in which the order of keys says nothing. Members that are undefined are left out. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(each => canonicalJson(each ?? null)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .filter(key => value[key] !== undefined)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}
