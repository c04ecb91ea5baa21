/** What a served pattern found out before it failed: in words where the outcome is one to act on, and as bounded data. */
import { shorten } from '../../basics/shorten.ts';
import type { PatternError, PatternErrorKind } from '../../patterns/contract/pattern-error.ts';
import { refusedCalls } from './refused-calls.ts';

type Evidence = Readonly<Record<string, unknown>>;

/** The longest piece of an answer that a failure repeats, in characters. */
const longest = 500;
const mostListed = 20;

const cut = (text: unknown): string => shorten(String(text), longest);

/** Outcomes that the caller can do something about; the others are told by what caused them. */
const outcomes: Partial<Record<PatternErrorKind, (evidence: Evidence) => string>> = {
  disagreement: ({ distinct }) =>
    `the answers do not all agree; there are ${String(distinct)} different ones. Use the strategy "majority" or ask for a more exact form of answer`,
  'rounds-exhausted': ({ rounds }) =>
    `there was no final answer after ${String(rounds)} rounds. Raise max_rounds or ask for less at once`,
  'unusable-output': ({ attempts, rejections }) =>
    `no answer fitted the schema after ${String(attempts)} attempts: ${cut(listOf(rejections).at(-1) ?? '')}. Say in the prompt where the data is, or choose another schema`,
};

export function describeOutcome({ kind, evidence }: PatternError): string | undefined {
  return outcomes[kind]?.(evidence);
}

/** By a member that only this pattern's evidence has. */
const excerpts: Readonly<Record<string, (evidence: Evidence) => Evidence>> = {
  counts: ({ distinct, counts }) => ({
    distinctAnswers: distinct,
    counts: listOf<{ readonly answer: string; readonly count: number }>(counts)
      .slice(0, mostListed)
      .map(({ answer, count }) => ({ answer: cut(answer), count })),
  }),
  rounds: ({ rounds, toolCalls, messages }) => {
    const refused = refusedCalls(listOf(messages));
    return { rounds, toolCalls, ...(refused.length > 0 ? { refusedCalls: refused } : {}) };
  },
  rejections: ({ attempts, rejections }) => ({
    attempts,
    rejections: listOf(rejections).slice(0, mostListed).map(cut),
  }),
  best: ({ best, score, scores }) => ({ best, score, scores }),
  mapped: ({ mapped, failures }) => ({
    workedItems: listOf(mapped).filter(text => text !== undefined).length,
    failedItems: listOf<{ readonly index: number }>(failures).map(({ index }) => index),
  }),
};

/** The part of the evidence that a caller can use, bounded but for the best draft, which was paid for. */
export function excerptEvidence({ evidence }: PatternError): Evidence | undefined {
  const member = Object.keys(excerpts).find(name => evidence[name] !== undefined);
  return member === undefined ? undefined : excerpts[member]?.(evidence);
}

function listOf<Item = unknown>(value: unknown): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}
