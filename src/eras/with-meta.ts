/** The parameters of a request with the members of `_meta` that an era adds. */
import type { Params } from '../rpc/message.ts';

/**
 * Assigned rather than spread: V8 puts what a spread of objects clones into the old generation, where a full collection
 * has to find it. On a busy connection that was a third of a call.
 */
export function withMeta(params: Params, ...meta: readonly (Params | undefined)[]): Params {
  return Object.assign({}, params, { _meta: Object.assign({}, ...meta) as Params });
}
