/** What of a client's request goes on to the server behind a proxy: its own members, and none of the envelope. */
import { isObject } from '../../basics/json.ts';
import type { Call } from '../../protocol/call.ts';
import type { Params } from '../../rpc/message.ts';

/** The members that the server behind is sent, per method; of a method that is not here, all of them. */
const members: Readonly<Record<string, readonly string[]>> = {
  'tools/list': ['cursor'],
  'tools/call': ['name', 'arguments'],
  'prompts/list': ['cursor'],
  'prompts/get': ['name', 'arguments'],
  'resources/list': ['cursor'],
  'resources/templates/list': ['cursor'],
  'resources/read': ['uri'],
  'completion/complete': ['ref', 'argument', 'context'],
};

/** Members of `_meta` that begin so are between two ends of one connection, and so is the token of progress. */
const reserved = 'io.modelcontextprotocol/';

export interface ForwardedRequest {
  readonly params: Params;
  readonly meta: Params;
}

export function forwardedRequest({ method, params }: Call): ForwardedRequest {
  const { _meta, ...rest } = params;
  const known = Object.hasOwn(members, method) ? members[method] : undefined;
  const kept = Object.entries(rest).filter(([name]) => known === undefined || known.includes(name));
  const meta = Object.entries(isObject(_meta) ? _meta : {}).filter(
    ([name]) => name !== 'progressToken' && !name.startsWith(reserved),
  );
  return { params: Object.fromEntries(kept), meta: Object.fromEntries(meta) };
}
