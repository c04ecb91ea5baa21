/** Whether an error of a server says that a resource is not there, in whichever number its era has for that. */
import { readObject } from '../protocol/identity.ts';
import { codes, isProtocolError } from '../rpc/protocol-error.ts';
import { handshakeCodes } from './handshake/revisions.ts';

/** True for what `client.read` rejects with when the server has no such resource. */
export function isResourceNotFound(error: unknown): boolean {
  if (!isProtocolError(error)) return false;
  if (error.code === handshakeCodes.resourceNotFound) return true;
  return error.code === codes.invalidParams && typeof readObject(error.data)['uri'] === 'string';
}
