/** Why a value does not fit a schema, as data and as sentences. */

/** One reason: where in the value, what is wrong, and the keyword that says so. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly keyword?: string;
}
