/** The typed form of a JSON-RPC error, and the standard codes (JSON-RPC 2.0 section 5.1). */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';
import type { ErrorBody } from './message.ts';

export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

/**
 * A JSON-RPC error: on a client the peer answered with it, on a server a handler throws it to answer with it.
 * `code` and `data` are the peer's, `method` is what was asked.
 */
export class ProtocolError extends TenonError {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;
  readonly method: string | undefined;

  constructor(
    code: number,
    message: string,
    options: { readonly data?: unknown; readonly method?: string | undefined } & FailureOptions = {},
  ) {
    super(message, options, ['ProtocolError']);
    this.code = code;
    this.data = options.data;
    this.method = options.method;
  }
}

/** True for a `ProtocolError` of this or any other copy of the package. */
export function isProtocolError(value: unknown): value is ProtocolError {
  return isFailure(value, 'ProtocolError');
}

/** The error member of a response that says what this error says. */
export function errorBody(error: ProtocolError): ErrorBody {
  const body = { code: error.code, message: error.message };
  return error.data === undefined ? body : { ...body, data: error.data };
}
