/** A failed tool's text for providers that have no field to say so. */

/** Marks the text of a failure, unless it says by itself that it is one. */
export function markFailure(text: string, isError: boolean | undefined): string {
  return isError !== true || /^\W*(?:\w+\s+)?(?:error|fail)/i.test(text) ? text : `Error: ${text}`;
}
