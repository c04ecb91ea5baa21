/** Reads one resource for a call, and puts what its `read` gave back into the form that travels. */
import { encodeBase64 } from '../basics/base64.ts';
import { isObject } from '../basics/json.ts';
import type { Call, Freshness, Outcome } from '../protocol/call.ts';
import { ResourceNotFound } from '../protocol/errors.ts';
import type { Params } from '../rpc/message.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import type { ResourceContents } from '../tools/content.ts';
import { isToolError } from '../tools/tool-error.ts';
import { CallContext } from './call-context.ts';
import type { Resource, ResourceContext } from './resource.ts';
import { runRounds } from './rounds.ts';

/** `reads` is the server's own hint on how long what was read may be kept. */
export async function readResource(
  resource: Resource,
  values: Readonly<Record<string, unknown>>,
  uri: string,
  call: Call,
  reads: Freshness | undefined,
): Promise<Outcome> {
  const read = resource.read as (values: unknown, ctx: ResourceContext) => unknown;
  const ctx = new ReadContext(call, uri);
  let returned: unknown;
  try {
    returned = await runRounds(call, () => read(values, ctx));
  } catch (thrown) {
    // The resource is there and cannot be read now; what it says of that is meant to be read.
    if (isToolError(thrown)) throw new ProtocolError(codes.internalError, thrown.message, { data: { uri } });
    throw thrown;
  }
  const { contents, freshness, _meta } = toContents(returned, uri, resource);
  if (contents.length === 0) throw new ResourceNotFound(uri);
  const value: Params = { contents, ...(_meta === undefined ? {} : { _meta }) };
  const hint = freshness ?? resource.freshness ?? reads;
  return hint === undefined ? { value } : { value, freshness: hint };
}

class ReadContext extends CallContext implements ResourceContext {
  readonly uri: string;

  constructor(call: Call, uri: string) {
    super(call);
    this.uri = uri;
  }
}

interface Read {
  readonly contents: readonly ResourceContents[];
  readonly freshness?: Freshness;
  readonly _meta?: Params;
}

function toContents(returned: unknown, uri: string, resource: Resource): Read {
  if (returned === undefined || returned === null) return { contents: [] };
  if (isObject(returned) && Array.isArray(returned['contents'])) {
    const { contents, freshness, _meta } = returned as { contents: readonly unknown[] } & Omit<
      Read,
      'contents'
    >;
    return {
      contents: contents.map(part => toPart(part, uri, resource)),
      ...(freshness === undefined ? {} : { freshness }),
      ...(_meta === undefined ? {} : { _meta }),
    };
  }
  const parts: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  return { contents: parts.map(part => toPart(part, uri, resource)) };
}

function toPart(part: unknown, uri: string, { mimeType, name }: Resource): ResourceContents {
  const texts = { uri, mimeType: mimeType ?? 'text/plain' };
  const bytes = { uri, mimeType: mimeType ?? 'application/octet-stream' };
  if (typeof part === 'string') return { ...texts, text: part };
  if (part instanceof Uint8Array) return { ...bytes, blob: encodeBase64(part) };
  if (isObject(part)) {
    const { text, blob, ...own } = part;
    const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
    if (typeof text === 'string') return { ...texts, ...known, text };
    if (typeof blob === 'string') return { ...bytes, ...known, blob };
    if (blob instanceof Uint8Array) return { ...bytes, ...known, blob: encodeBase64(blob) };
  }
  throw new TypeError(
    `the resource "${name}" gave back ${typeof part}; give text, bytes, or parts with text or blob`,
  );
}
