/** What stands in for a message that has no JSON form, so that nobody waits for ever. */
import { messageOf } from '../basics/failure.ts';
import { printJson } from '../basics/json.ts';
import type { ErrorResponse, Id, Message } from '../rpc/message.ts';
import { codes } from '../rpc/protocol-error.ts';

/** An answer becomes an error with its id, a request is answered here and now. */
export interface Replacement {
  /** Why the message itself is not what is written. */
  readonly fault: string;
  /** What to write instead; absent when nothing can be said to the other end. */
  readonly line?: string;
  /** What to hear as the answer to a request that could not be sent. */
  readonly reply?: ErrorResponse;
}

/** What stands in for a message that `printMessage` threw `error` for. */
export function replacementFor(message: Message, error: unknown): Replacement {
  const why = messageOf(error);
  if ('method' in message) {
    const fault = `${message.method} ${why}`;
    return 'id' in message ? { fault, reply: failed(message.id, fault) } : { fault };
  }
  const fault = `the answer to request ${message.id} ${why}`;
  return { line: printJson(replace(message, fault)), fault };
}

function replace(message: Exclude<Message, { readonly method: string }>, fault: string): ErrorResponse {
  if (!('error' in message)) return failed(message.id, fault);
  // It is the data that cannot be printed; what went wrong first is still worth knowing.
  const { code, message: text } = message.error;
  return { jsonrpc: '2.0', id: message.id, error: { code, message: text } };
}

function failed(id: Id | null, message: string): ErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: codes.internalError, message } };
}
