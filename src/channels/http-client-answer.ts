/** Tells by shape whether a message on a reply stream is the answer to its request. */
import type { Id } from '../rpc/message.ts';
import type { TripFacts } from './http-client-failures.ts';

/** True for the answer itself, also within a batch; an error without an id belongs to the request it came for. */
export function answers(value: unknown, id: Id): boolean {
  if (Array.isArray(value)) return value.some(member => !Array.isArray(member) && answers(member, id));
  if (typeof value !== 'object' || value === null) return false;
  const raw = value as { id?: unknown; method?: unknown; error?: unknown };
  if (typeof raw.method === 'string') return false;
  if (raw.id === id || raw.id === String(id)) return true;
  return (raw.id === null || raw.id === undefined) && raw.error !== undefined && raw.error !== null;
}

/** The error of a JSON-RPC error answer; nothing for any other JSON, such as the errors of gateways. */
export function errorOf(value: unknown): object | undefined {
  const { error } = (value ?? {}) as { readonly error?: unknown };
  if (typeof error !== 'object' || error === null) return undefined;
  return typeof (error as { readonly code?: unknown }).code === 'number' ? error : undefined;
}

/** An error answer whose message repeats a secret of the request, with that masked; everything else as it is. */
export function withoutSecrets(value: unknown, trip: { readonly facts: TripFacts } | undefined): unknown {
  const error = errorOf(value);
  const { message } = (error ?? {}) as { readonly message?: unknown };
  if (typeof message !== 'string' || !trip) return value;
  let masked = message;
  for (const secret of trip.facts.secrets) masked = masked.replaceAll(secret, '***');
  return masked === message ? value : { ...(value as object), error: { ...error, message: masked } };
}
