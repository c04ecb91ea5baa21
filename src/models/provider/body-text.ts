/** A request's body as JSON text that every parser takes. */
import type { Body } from './provider.ts';

/** Half of a character, as in text that was cut; JSON can say it, and strict parsers refuse the whole request over it. */
const half = /\p{Surrogate}/gu;

export function bodyText(body: Body): string {
  const text = JSON.stringify(body);
  // An escape that remains is one of these, or text that looks like it.
  return /\\ud[89a-f]/.test(text) ? JSON.stringify(mended(body)) : text;
}

function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(half, '\uFFFD');
  if (Array.isArray(value)) return value.map(mended);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [mended(name), mended(member)]));
}
