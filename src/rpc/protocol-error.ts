/** The typed form of a JSON-RPC error, and the standard codes (JSON-RPC 2.0 section 5.1). */
import { type FailureOptions, isFailure, TenonError } from '../basics/failure.ts';
import type { ErrorBody, ErrorResponse, Id } from './message.ts';

export const codes: {
  readonly parseError: -32700;
  readonly invalidRequest: -32600;
  readonly methodNotFound: -32601;
  readonly invalidParams: -32602;
  readonly internalError: -32603;
} = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
};

/**
 * A JSON-RPC error. On a client the peer answered `method` with it; on a server a handler throws it to answer with
 * it. `code`, `data` and `reason` are what goes over the wire; `message` also names the method.
 */
export class ProtocolError extends TenonError {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;
  readonly method: string | undefined;
  /** The message as it goes over the wire. */
  readonly reason: string;

  constructor(
    code: number,
    reason: string,
    options: { readonly data?: unknown; readonly method?: string | undefined } & FailureOptions = {},
  ) {
    super(options.method ? `${options.method}: ${reason} (error ${code})` : reason, options, [
      'ProtocolError',
    ]);
    this.code = code;
    this.reason = reason;
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
  const body = { code: error.code, message: error.reason };
  return error.data === undefined ? body : { ...body, data: error.data };
}

export function errorResponse(id: Id | null, code: number, message: string, data?: unknown): ErrorResponse {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } };
}
