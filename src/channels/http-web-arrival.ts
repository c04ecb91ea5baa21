/** Whether a web request came over loopback, as far as the runtime that hands it over tells. */
import { isLoopbackAddress } from './http-server-origin.ts';

interface Address {
  readonly localAddress?: unknown;
  readonly remoteAddress?: unknown;
  readonly remoteAddr?: { readonly hostname?: unknown } | null;
  requestIP?(request: Request): { readonly address?: unknown } | null;
}

/**
 * `connection` is what the runtime gives beside the request: the server of `Bun.serve`, the info of `Deno.serve`, a
 * socket of Node, or any object with a `localAddress` or a `remoteAddress`. Whatever else it is tells nothing, which
 * is false too.
 */
export function cameOverLoopback(request: Request, connection: unknown): boolean {
  if (typeof connection !== 'object' || connection === null) return false;
  const given = connection as Address;
  const address =
    given.localAddress ?? given.remoteAddress ?? given.remoteAddr?.hostname ?? asked(given, request);
  return typeof address === 'string' && isLoopbackAddress(address);
}

function asked(given: Address, request: Request): unknown {
  return typeof given.requestIP === 'function' ? given.requestIP(request)?.address : undefined;
}
