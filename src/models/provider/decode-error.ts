/** An answer that makes no sense, and the counts in it that must. */
import { parseJson } from '../../basics/json.ts';
import { ModelError } from '../model-error.ts';

/** More than any honest server reports; budgets must not be led astray by others. */
const mostTokens = 1e9;

export function decodeError(provider: string, why: string, hint?: string): ModelError {
  return new ModelError(`${provider} sent an answer that makes no sense: ${why}`, {
    kind: 'decode',
    provider,
    hint,
  });
}

/** JSON out of its text. Throws a ModelError of kind `decode`. */
export function parseAnswer(text: string, provider: string): unknown {
  const parsed = parseJson(text);
  if (!parsed.ok) throw decodeError(provider, `it is not valid JSON (${parsed.reason})`);
  return parsed.value;
}

/**
 * The first of these members that is there, or `undefined`. Throws a ModelError of kind `decode` for anything but a
 * whole number from 0 to 1e9.
 */
export function readCount(
  usage: Readonly<Record<string, unknown>>,
  names: readonly string[],
  provider: string,
): number | undefined {
  for (const name of names) {
    const value = usage[name];
    if (value === undefined || value === null) continue;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= mostTokens)
      return value;
    const shown = typeof value === 'number' ? String(value) : typeof value;
    throw decodeError(provider, `usage.${name} is ${shown}, not a whole number from 0 to ${mostTokens}`);
  }
  return undefined;
}
