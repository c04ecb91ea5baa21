/** How a failure stands in a span: a class of few values, and words without secrets. */
import { isFailure, messageOf } from '../basics/failure.ts';
import { excerpt } from '../basics/redact.ts';
import type { SpanAttributes } from '../basics/trace.ts';

/** `error.type`, and the code of the answer where a peer gave one. */
export function errorAttributes(error: unknown): SpanAttributes {
  if (isFailure(error, 'ProtocolError')) {
    const code = String((error as { readonly code?: unknown }).code);
    return { 'error.type': code, 'rpc.response.status_code': code };
  }
  if (isFailure(error, 'TimeoutError')) return { 'error.type': 'timeout' };
  const { status, kind, name } = (typeof error === 'object' && error !== null ? error : {}) as Readonly<
    Record<string, unknown>
  >;
  if (typeof status === 'number') return { 'error.type': String(status) };
  if (isFailure(error, 'ModelError') && typeof kind === 'string') return { 'error.type': kind };
  return { 'error.type': typeof name === 'string' && name !== '' ? name : '_OTHER' };
}

/** The first line of the message, secrets masked. */
export function describeError(error: unknown): string {
  return excerpt(messageOf(error));
}
