/** The words of names, descriptions and questions, in the form in which they are compared. */

/** Scripts that write without spaces: each pair of neighbours counts as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** At most `most` words: lower case, `camelCase` and `snake_case` taken apart, a plural as its singular. */
export function wordsOf(text: string, most = 400): string[] {
  const apart = text
    .slice(0, most * 16)
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase();
  const words = apart.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words
    .flatMap(word => (unspaced.test(word) ? pairsOf(word) : [singular(word)]))
    .filter(word => !empty.has(word))
    .slice(0, most);
}

function pairsOf(word: string): string[] {
  const signs = [...word];
  return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => `${signs[index] ?? ''}${sign}`);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

/** Words that stand in every description and tell none from another. */
const empty = new Set(
  'a an and are as at be by for from i in is it my of on or that the this to tool use want what which with you'.split(
    ' ',
  ),
);
