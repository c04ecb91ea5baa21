/** Splits what was typed so far as a shell does, quotes left open and all; nothing in it is run or filled in; pure. */

/** The words, without their quotes; the last one is that at which the cursor stands, perhaps empty. */
export function splitLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [piece, single, double, escaped] of line.matchAll(
    /'([^']*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|\\?$)|\\(.?)|\s+|[^\s'"\\]+/gs,
  )) {
    if (/^\s/.test(piece)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? piece);
    }
  }
  return [...words, word ?? ''];
}

/** What a shell still has to put in place of the word's last piece, when it splits words at `breaks` as well. */
export function afterBreaks(value: string, word: string, breaks: string): string {
  const last = Math.max(-1, ...[...breaks].map(sign => word.lastIndexOf(sign)));
  return value.startsWith(word.slice(0, last + 1)) ? value.slice(last + 1) : value;
}
