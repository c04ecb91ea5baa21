/** Finds tools by words: pure, in memory, ranked by how rare and how prominent the matching words are (BM25). */
import { wordsOf } from './search-words.ts';

/** What is searched of one tool; the position in the list is its number. */
export interface SearchText {
  readonly name: string;
  readonly server: string;
  readonly description: string;
  /** Names of its arguments. */
  readonly parameters: readonly string[];
}

interface Entry {
  /** How often each word is there, weighed by where. */
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
    const words = [...new Set(wordsOf(query, longestQuery))];
    return this.#entries
      .map((entry, number) => ({ number, score: this.#score(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.number - b.number)
      .slice(0, most)
      .map(({ number }) => number);
  }

  #score({ weights, length }: Entry, words: readonly string[]): number {
    const damping = saturation * (1 - lengthShare + (lengthShare * length) / this.#meanLength);
    let score = 0;
    for (const word of words) {
      const exact = weights.get(word);
      const found = exact === undefined ? this.#begins(weights, word) : { word, weight: exact };
      if (found === undefined) continue;
      const spread = this.#spread.get(found.word) ?? 0;
      const rarity = Math.log(1 + (this.#entries.length - spread + 0.5) / (spread + 0.5));
      score += (rarity * found.weight * (saturation + 1)) / (found.weight + damping);
    }
    return score;
  }

  #begins(
    weights: ReadonlyMap<string, number>,
    asked: string,
  ): { readonly word: string; readonly weight: number } | undefined {
    if (asked.length < shortest) return undefined;
    let best: { readonly word: string; readonly weight: number } | undefined;
    for (const [word, weight] of weights) {
      const isClose = word.length >= shortest && (word.startsWith(asked) || asked.startsWith(word));
      if (isClose && weight * beginning > (best?.weight ?? 0)) best = { word, weight: weight * beginning };
    }
    return best;
  }
}

function toEntry({ name, server, description, parameters }: SearchText): Entry {
  const weights = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(name, weightOf.name);
  add(server, weightOf.server);
  add(description, weightOf.description);
  add(parameters.join(' '), weightOf.parameters);
  return { weights, length };
}
