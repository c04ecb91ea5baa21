/** An answer that makes no sense, or that ends before it is one. */
import { parseJson } from '../../basics/json.ts';
import { ModelError } from '../model-error.ts';

export function decodeError(provider: string, why: string): ModelError {
  return senseless(provider, why, false);
}

/** The same for an answer that was lost on its way, which another attempt may bring. */
export function lostError(provider: string, why: string): ModelError {
  return senseless(provider, why, true);
}

function senseless(provider: string, why: string, retryable: boolean): ModelError {
  const message = `${provider} sent an answer that makes no sense: ${why}`;
  return new ModelError(message, { kind: 'decode', provider, retryable });
}

/** JSON out of its text. Throws a ModelError of kind `decode`. */
export function parseAnswer(text: string, provider: string): unknown {
  const parsed = parseJson(text);
  if (!parsed.ok) throw decodeError(provider, `it is not valid JSON (${parsed.reason})`);
  return parsed.value;
}
