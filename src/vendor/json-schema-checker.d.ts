/** Types of the generated JSON Schema checker; `scripts/vendor.mjs` writes the code. */

/** Schemas by the URI they are referred to with, without a trailing "#". */
export type CheckerRemotes = { readonly [uri: string]: unknown };

/** One reason; paths are JSON pointers, `schemaPath` does not name the `$ref`s it went through. */
export interface CheckerError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: { readonly [name: string]: unknown };
}

/** More than `work` subschemas would have been evaluated. */
export declare class WorkLimitError extends Error {}

/** Whether a text matches a pattern; what it throws passes through. */
export type CheckerMatches = (pattern: string, text: string) => boolean;

/** True when `value` fits. Throws WorkLimitError, or RangeError when the stack ran out. */
export declare function check(
  remotes: CheckerRemotes,
  schema: unknown,
  value: unknown,
  work: number,
  matches: CheckerMatches,
): boolean;

/** Why `value` does not fit; at most 64 reasons. Throws as `check` does. */
export declare function errors(
  remotes: CheckerRemotes,
  schema: unknown,
  value: unknown,
  work: number,
  matches: CheckerMatches,
): readonly CheckerError[];
