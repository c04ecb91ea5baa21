/** The answer to "does this value fit?". */
import type { Issue } from './issues.ts';

/** The value that fits, or the reasons why it does not. */
export type Verdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A verdict for a value that is too deep, too large or too costly to judge. */
export function beyondLimits(reason: string): Verdict<never> {
  return { ok: false, issues: [{ path: [], message: `cannot be checked: ${reason}`, keyword: 'limit' }] };
}

/** True for the error that an exhausted stack throws, in any engine. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && /too much recursion/.test(error.message));
}

export const tooDeep = 'it is nested too deep';
