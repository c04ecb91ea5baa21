/** Tells arguments that no JSON can hold from an error that a server gave. */
import { messageOf } from '../basics/failure.ts';
import { codes, isProtocolError } from '../rpc/protocol-error.ts';

/**
 * What to throw for the failure of a request with `value` in it: a TypeError when `value` cannot be written, so that the
 * server never saw it, else the failure. Looked at only then, for writing everything twice would cost every request.
 */
export function blameValue(what: string, value: unknown, thrown: unknown): unknown {
  if (!isProtocolError(thrown) || thrown.code !== codes.internalError) return thrown;
  try {
    JSON.stringify(value);
    return thrown;
  } catch (cause) {
    return new TypeError(`${what} cannot be written as JSON: ${messageOf(cause)}`, { cause });
  }
}
