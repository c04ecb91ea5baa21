/** The count of a vote among answers: pure, no model in sight. */
import { normalisers } from './normalisers.ts';

/** One answer as it was first written, and how many said the same. */
export interface AnswerCount {
  readonly answer: string;
  readonly count: number;
}

/** What a set of answers says. */
export interface Tally {
  /** The answer with the highest count, as it was first written; among equals the one that came first. */
  readonly winner: string;
  /** The winner's count divided by the number of answers: above 0, at most 1. */
  readonly ratio: number;
  /** How many different answers there are. */
  readonly distinct: number;
  /** How many different answers share the highest count; 1 is a clean win. */
  readonly tieCount: number;
  /** Every different answer, most frequent first, equals in order of appearance. */
  readonly counts: readonly AnswerCount[];
}

/** How answers become a decision. */
export type VotingStrategy = 'majority' | 'unanimous';

/** What several answers with the highest count mean: the one that came first wins, or nobody does. */
export type TieRule = 'first' | 'fail';

/** Whether a tally decides, by strategy. */
export const decides: Readonly<Record<VotingStrategy, (tally: Tally) => boolean>> = Object.freeze({
  majority: () => true,
  unanimous: (tally: Tally) => tally.distinct === 1,
});

/** What stands for an answer in the count: answers with the same are the same. */
export type Normaliser = (answer: string) => string;

/** Counts the answers. Throws a RangeError when there are none. */
export function countVotes(
  answers: readonly string[],
  normalise: Normaliser = normalisers.whitespace,
): Tally {
  const groups = new Map<string, { answer: string; count: number }>();
  for (const answer of answers) {
    const key = normalise(answer);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { answer, count: 1 });
    else group.count += 1;
  }
  // The sort is stable, so equals keep their order of appearance.
  const counts = [...groups.values()].sort((a, b) => b.count - a.count).map(group => Object.freeze(group));
  const first = counts[0];
  if (first === undefined) throw new RangeError('countVotes: there are no answers to count');
  return Object.freeze({
    winner: first.answer,
    ratio: first.count / answers.length,
    distinct: counts.length,
    tieCount: counts.filter(group => group.count === first.count).length,
    counts: Object.freeze(counts),
  });
}
