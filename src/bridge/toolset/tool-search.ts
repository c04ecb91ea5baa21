/** Finds tools by words: pure, in memory, ranked by how rare and how prominent the matching words are (BM25). */
import { actionsIn, closeTo, type Meaning, thingsIn } from './search-meanings.ts';
import { saysMany, wordsOf } from './search-words.ts';

/** What is searched of one tool; the position in the list is its number. */
export interface SearchText {
  readonly name: string;
  readonly server: string;
  readonly description: string;
  /** Names of its arguments. */
  readonly parameters: readonly string[];
}

interface Entry {
  /** How often each word is there, weighed by where; what words mean too. */
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

/** How much a word counts by where it stands. */
const weightOf = { name: 4, server: 2, description: 1, parameters: 0.5 } as const;
/** How soon repetition stops to count, and how much long descriptions lose: the usual values. */
const saturation = 1.2;
const lengthShare = 0.75;
/** A word that only begins as the one that was asked for. */
const beginning = 0.4;
const shortest = 3;
/** Most words of a question. */
const longestQuery = 32;
/** What counts less than a word that was asked for itself. */
const share = { meaning: 0.8, likely: 0.9, close: 0.4, later: 0.2, place: 0.01 } as const;

export class ToolIndex {
  readonly #entries: readonly Entry[];
  /** In how many tools each word is. */
  readonly #spread = new Map<string, number>();
  readonly #meanLength: number;

  constructor(texts: readonly SearchText[]) {
    this.#entries = texts.map(toEntry);
    for (const { weights } of this.#entries) {
      for (const word of weights.keys()) this.#spread.set(word, (this.#spread.get(word) ?? 0) + 1);
    }
    const total = this.#entries.reduce((sum, { length }) => sum + length, 0);
    this.#meanLength = total / Math.max(1, this.#entries.length) || 1;
  }

  /** Numbers of at most `most` tools, best first; those that rank alike in the order of the list. */
  find(query: string, most: number): readonly number[] {
    const asked = askedFor(query);
    return this.#entries
      .map((entry, number) => ({ number, score: this.#score(entry, asked) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.number - b.number)
      .slice(0, most)
      .map(({ number }) => number);
  }

  #score({ weights, length }: Entry, asked: ReadonlyMap<string, number>): number {
    const damping = saturation * (1 - lengthShare + (lengthShare * length) / this.#meanLength);
    let score = 0;
    for (const [word, factor] of asked) {
      // What is only close to what was asked for finds nothing by itself.
      if (isMeaning(word) && factor <= share.close && score === 0) continue;
      const exact = weights.get(word);
      const found = exact === undefined ? begins(weights, word) : { word, weight: exact };
      if (found === undefined) continue;
      const spread = this.#spread.get(found.word) ?? 0;
      const rarity = Math.log(1 + (this.#entries.length - spread + 0.5) / (spread + 0.5));
      score += (factor * rarity * found.weight * (saturation + 1)) / (found.weight + damping);
    }
    return score;
  }
}

function begins(
  weights: ReadonlyMap<string, number>,
  asked: string,
): { readonly word: string; readonly weight: number } | undefined {
  if (asked.length < shortest || isMeaning(asked)) return undefined;
  let best: { readonly word: string; readonly weight: number } | undefined;
  for (const [word, weight] of weights) {
    const isClose = word.length >= shortest && (word.startsWith(asked) || asked.startsWith(word));
    if (isClose && weight * beginning > (best?.weight ?? 0)) best = { word, weight: weight * beginning };
  }
  return best;
}

function isMeaning(word: string): boolean {
  return word.startsWith('@');
}

/** The words of a question, the first a little before the others, then what they mean; each with how much it counts. */
function askedFor(query: string): ReadonlyMap<string, number> {
  const words = [...new Set(wordsOf(query.replace(/\bget(?:ting)? rid of\b/gi, 'delete'), longestQuery))];
  const meanings = new Map<Meaning, number>();
  const add = (meaning: Meaning, factor: number): void => {
    meanings.set(meaning, Math.max(factor, meanings.get(meaning) ?? 0));
  };
  const isMany = saysMany(query);
  let acts = false;
  for (const word of words) {
    for (const thing of thingsIn(word)) add(thing, share.meaning);
    const actions = actionsIn(word);
    // What is done is said first; "open" in "list open tickets" is no act.
    if (acts) for (const action of actions) add(action, share.later);
    else for (const [action, factor] of intended(actions, isMany)) add(action, factor);
    acts ||= actions.length > 0;
  }
  if (!acts && isMany) add('@list', share.close);
  const asked = words.map((word, place) => [word, 1 - place * share.place] as const);
  return new Map<string, number>([...asked, ...[...meanings].sort((a, b) => b[1] - a[1])]);
}

/** One of several is got, all of them are listed; a word of several meanings has its commonest first. */
function intended(actions: readonly Meaning[], isMany: boolean): readonly (readonly [Meaning, number])[] {
  const gets = actions.includes('@get');
  const likely: readonly Meaning[] = !gets
    ? []
    : isMany
      ? ['@list']
      : actions.includes('@list')
        ? ['@get']
        : [];
  return [
    ...likely.map(action => [action, share.likely] as const),
    ...actions.flatMap((action, place) => [
      [action, share.meaning - place * 0.1] as const,
      ...closeTo(action).map(each => [each, share.close] as const),
    ]),
  ];
}

function toEntry({ name, server, description, parameters }: SearchText): Entry {
  const weights = new Map<string, number>();
  let length = 0;
  const put = (word: string, weight: number): void => {
    weights.set(word, (weights.get(word) ?? 0) + weight);
  };
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) {
      put(word, weight);
      for (const thing of thingsIn(word)) put(thing, weight);
      length += weight;
    }
  };
  const own = wordsOf(name);
  const told = wordsOf(description);
  add(own, weightOf.name);
  add(wordsOf(server), weightOf.server);
  add(told, weightOf.description);
  add(wordsOf(parameters.join(' ')), weightOf.parameters);
  for (const word of initialsIn(own)) put(word, weightOf.description);
  const verb = own.find(isAction) ?? told.slice(0, 3).find(isAction) ?? '';
  for (const action of actionsIn(verb)) put(action, weightOf.name);
  return { weights, length };
}

function isAction(word: string): boolean {
  return actionsIn(word).length > 0;
}

/** What two or three words that stand together are called for short: `pr` for a pull request. */
function initialsIn(words: readonly string[]): readonly string[] {
  const signs = words.slice(0, 8).map(word => (isAction(word) ? ' ' : (word[0] ?? ' ')));
  const found = new Set<string>();
  for (const size of [2, 3]) {
    for (let at = 0; at + size <= signs.length; at += 1) {
      const initials = signs.slice(at, at + size).join('');
      if (!initials.includes(' ')) found.add(initials);
    }
  }
  return [...found];
}
