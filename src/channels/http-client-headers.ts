/** Headers of outgoing requests: what users give in any form, merged with what the protocol needs. */

/** Headers in any of the forms that the platform takes. */
export type HeadersLike =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** What a function that gives headers is told of the request. */
export interface HeaderContext {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  /** The JSON-RPC method that is sent; absent for answers, GET and DELETE. */
  readonly rpcMethod: string | undefined;
}

export type HeaderSource = HeadersLike | ((context: HeaderContext) => HeadersLike | Promise<HeadersLike>);

type Flat = Readonly<Record<string, string>>;

/** What only the sender of the body can know. */
const ours: ReadonlySet<string> = new Set(['content-type', 'content-length', 'transfer-encoding']);

/** Names in lower case, values as text; what is undefined is left out. Throws a `TypeError` that names what is no header. */
export function flattenHeaders(given: HeadersLike): Flat {
  const flat: Record<string, string> = {};
  const pairs = isIterable(given) ? given : Object.entries(given);
  for (const [name, value] of pairs) {
    if (value === undefined || ours.has(name.toLowerCase())) continue;
    const text: unknown = Array.isArray(value) ? value.join(', ') : value;
    if (typeof text !== 'string') {
      throw new TypeError(
        `the header "${name}" must be a string, got ${text === null ? 'null' : typeof text}`,
      );
    }
    flat[name.toLowerCase()] = text;
  }
  return flat;
}

/** Later ones win; media types that the protocol needs are added to an `accept` that lacks them. */
export function mergeHeaders(
  required: Flat,
  ...layers: readonly (Flat | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const layer of layers) {
    if (layer) for (const name in layer) merged[name.toLowerCase()] = layer[name] ?? '';
  }
  const accept = merged['accept'];
  for (const name in required) merged[name] = required[name] ?? '';
  if (accept !== undefined) merged['accept'] = withAccepted(accept, required['accept'] ?? '');
  return merged;
}

function withAccepted(accept: string, needed: string): string {
  const lower = accept.toLowerCase();
  const missing = needed.split(', ').filter(type => !lower.includes(type));
  return [accept, ...missing].filter(part => part.trim() !== '').join(', ');
}

function isIterable(given: HeadersLike): given is Iterable<readonly [string, string]> {
  return Symbol.iterator in given;
}
