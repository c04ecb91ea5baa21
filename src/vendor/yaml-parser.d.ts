/** Types of the generated YAML parser; `scripts/vendor.mjs` writes the code. */

/** Throws an Error whose message ends with line and column, counted from 1, and a picture of the place. */
export declare function parse(
  text: string,
  options: {
    readonly logLevel: 'error';
    /** Aliases that may be resolved. */
    readonly maxAliasCount: number;
    /** Refuses mappings whose keys are not text. */
    readonly stringKeys: boolean;
  },
): unknown;
