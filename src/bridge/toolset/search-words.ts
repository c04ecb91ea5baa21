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
    .toLowerCase()
    // An e-mail is an email, and a pull-request both two words and one.
    .replace(/(?<!\p{L})(\p{L})[-_](\p{L}{3,})/gu, '$1$2')
    .replace(/(?<!\p{L})(\p{L}{2,20})-(\p{L}{2,20})(?!\p{L})/gu, '$1 $2 $1$2');
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

/** Whether the text speaks of several things: of all, or in the plural. */
export function saysMany(text: string): boolean {
  const words =
    text
      .slice(0, 2_000)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.some(word => many.has(word) || (!empty.has(word) && word !== singular(word)));
}

const many: ReadonlySet<string> = new Set(['all', 'every', 'which', 'several', 'many']);

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word;
}

/** Words that stand in every description and tell none from another. */
const empty = new Set(
  (
    'a all an and any are as at be by can could do every for from have i in into is it me my need of on or our please ' +
    'some that the there this to tool up us use want we what which who with would you your'
  ).split(' '),
);
