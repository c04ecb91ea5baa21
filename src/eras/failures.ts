/** What both eras answer alike when a call fails: the handler's own protocol errors pass, bugs are hidden. */
import type { ErrorBody } from '../rpc/message.ts';
import { errorBody, isProtocolError } from '../rpc/protocol-error.ts';

/** The error a handler chose to answer with; nothing for anything else that was thrown. */
export function chosenError(thrown: unknown): ErrorBody | undefined {
  return isProtocolError(thrown) ? errorBody(thrown) : undefined;
}
