/** The count of a vote among answers: pure, no model in sight. */

/** One answer as it was first written, and how many said the same. */
export interface AnswerCount {
  readonly answer: string;
  readonly count: number;
}

/** What a set of answers says. Answers that differ in whitespace only are the same answer. */
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

/** Whether a tally decides, by strategy. */
export const decides: Readonly<Record<VotingStrategy, (tally: Tally) => boolean>> = Object.freeze({
  majority: () => true,
  unanimous: (tally: Tally) => tally.distinct === 1,
});

/** Trimmed, with every run of whitespace as one space. Case and punctuation stay: they can carry the answer. */
export function normaliseAnswer(answer: string): string {
  return answer.trim().replace(/\s+/gu, ' ');
}

/** Counts the answers. Throws a RangeError when there are none. */
export function countVotes(answers: readonly string[]): Tally {
  const groups = new Map<string, { answer: string; count: number }>();
  for (const answer of answers) {
    const key = normaliseAnswer(answer);
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
