/** The token counts of an answer: what can be counted is, and what cannot is told rather than the answer lost. */
import { isObject } from '../../basics/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** More than any honest server reports; budgets must not be led astray by others. */
const mostTokens = 1e9;

export class TokenCounts {
  readonly #odd = new Map<string, string>();

  /** What could not be counted, such as `prompt_tokens is -1`; what was told anew since is not in it. */
  get odd(): readonly string[] {
    return [...this.#odd].map(([name, what]) => `${name} is ${what}`);
  }

  /** The members that hold counts; none where the value is no object. */
  members(value: unknown, name: string): Json {
    if (isObject(value)) return value;
    if (value !== undefined && value !== null)
      this.#odd.set(name, Array.isArray(value) ? 'a list' : typeof value);
    return {};
  }

  /**
   * The first of these members that is there: a whole number up to 1e9, also as text; a fraction counts as the next whole
   * one. `undefined` for anything else.
   */
  read(usage: Json, ...names: readonly string[]): number | undefined {
    const name = names.find(one => usage[one] !== undefined && usage[one] !== null);
    if (name === undefined) return undefined;
    const value = usage[name];
    const count = toCount(value);
    if (count === undefined) this.#odd.set(name, typeof value === 'number' ? String(value) : typeof value);
    else this.#odd.delete(name);
    return count;
  }
}

function toCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= 0 && number <= mostTokens)) return undefined;
  return Math.ceil(number);
}
