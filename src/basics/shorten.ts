/** Text cut to a length that people and models can read, never in the middle of a character. */

/** At most `most` UTF-16 code units of `text`, `mark` at the end of them when something was cut and it has room. */
export function shorten(text: string, most: number, mark = '…'): string {
  if (text.length <= most) return text;
  const tail = most > mark.length ? mark : '';
  // Not between the halves of a surrogate pair.
  return text.slice(0, most - tail.length).replace(/[\uD800-\uDBFF]$/, '') + tail;
}
