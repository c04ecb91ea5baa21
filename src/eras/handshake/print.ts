/** A short print of a long text, to know it again without keeping it; no protection against one made to look alike. */

/** The length of `text` and 64 bits that depend on every character of it. */
export function printOf(text: string): string {
  // Two sums of the FNV-1a kind over different primes.
  let one = 0x811c9dc5;
  let other = 0x9dc5811c;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
  }
  return [text.length, one >>> 0, other >>> 0].join('-');
}
