/** Ask several times, keep what most answers say. */

import { messageOf } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkChoice, checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Model, ModelRequest } from '../models/model.ts';
import { type Meter, meterModel } from './asking/meter.ts';
import { withOwnTemperature } from './asking/own-temperature.ts';
import { type SampleFailure, type Samples, takeSamples } from './asking/samples.ts';
import type { Budget } from './budget/budget.ts';
import { mostTelling, toPatternError } from './contract/failures.ts';
import { PatternError } from './contract/pattern-error.ts';
import { asker } from './contract/pattern-options.ts';
import { freezeResult, type PatternResult } from './contract/result.ts';
import type { Observers } from './contract/trace.ts';
import { groupByMeaning } from './voting/group-answers.ts';
import { type NormaliserName, normalisers } from './voting/normalisers.ts';
import {
  type AnswerCount,
  countVotes,
  decides,
  type Normaliser,
  type TieRule,
  type VotingStrategy,
} from './voting/voting.ts';

export interface ConsensusOptions extends Observers {
  /** How many answers are asked for: an integer of at least 1; 5 by default. */
  readonly samples?: number | undefined;
  /** `majority` by default; `unanimous` fails unless all answers agree. */
  readonly strategy?: VotingStrategy | undefined;
  /**
   * When answers count as the same: by a rule of `NormaliserName`, by what a function makes of them, or `judge`, which
   * asks the model once more; `whitespace` by default.
   */
  readonly normalise?: NormaliserName | Normaliser | 'judge' | undefined;
  /** What happens when several answers have the highest count; the one that came first wins by default. */
  readonly ties?: TieRule | undefined;
  /** From 0 to 2; 0.9 by default. Given up, with a note, when the model refuses any. */
  readonly temperature?: number | undefined;
  /** Most tokens of one answer. */
  readonly maxTokens?: number | undefined;
  /** How many are asked at once; 5 by default. */
  readonly concurrency?: number | undefined;
  readonly budget?: Budget | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ConsensusEvidence {
  /** In the order of asking, as they were written. */
  readonly answers: readonly string[];
  /** Every different answer, most frequent first. */
  readonly counts: readonly AnswerCount[];
  readonly distinct: number;
  /** How many different answers share the highest count; 1 is a clean win. */
  readonly ties: number;
  /** What else there is to know, as sentences. */
  readonly notes: readonly string[];
}

const ownTemperature = 0.9;
const judgeTemperature = 0;

/**
 * Asks the model the same several times and gives the answer that wins the vote, in the words in which it first came;
 * `score` is the share of answers that agree with it. Answers that differ in whitespace only are the same, unless
 * `normalise` says otherwise. All samples
 * must succeed: the first failure, also a blank answer, stops the others. Nothing is tried again here; give it a model
 * that does. Throws a TypeError before anything is spent when an argument is wrong, else a PatternError with the cost.
 */
export async function consensus(
  model: Model,
  prompt: string,
  options: ConsensusOptions = {},
): Promise<PatternResult<string, ConsensusEvidence>> {
  checkArguments(model, prompt, options);
  const { samples = 5, strategy = 'majority', concurrency = 5, temperature, maxTokens, signal } = options;
  const meter = meterModel(model, options.budget, options);
  const asked = temperature === undefined ? withOwnTemperature(meter, ownTemperature) : meter.model;
  const request: ModelRequest = {
    messages: [{ role: 'user', content: prompt }],
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  const outcome = await takeSamples(asked, request, {
    count: samples,
    concurrency,
    signal,
    onSample: done => notify(options.onProgress, { done, total: samples }),
  });
  const cut = outcome.taken.filter(sample => sample.truncated).length;
  if (cut > 0) meter.note(`${cut} of ${samples} answers were cut off at their token limit`);
  if (outcome.failures.length > 0) {
    const evidence = gatherEvidence(outcome, meter, normalisers.whitespace);
    throw toError(outcome.failures, samples, signal, meter, evidence);
  }
  const normalise = await chooseNormaliser(prompt, outcome, meter, options);
  const evidence = gatherEvidence(outcome, meter, normalise);
  const tally = countVotes(evidence.answers, normalise);
  if (options.ties === 'fail' && tally.tieCount > 1) {
    throw new PatternError(
      `consensus: ${tally.tieCount} different answers were given ${tally.counts[0]?.count ?? 0} times each, and none more often`,
      {
        kind: 'disagreement',
        cost: meter.cost,
        evidence,
        hint: 'Ask for an odd number of samples, or let the first of equals win with ties: "first".',
      },
    );
  }
  if (!decides[strategy](tally)) {
    const counts = tally.counts.map(group => group.count).join(', ');
    throw new PatternError(
      `consensus: the ${samples} samples do not all agree; there are ${tally.distinct} different answers, given ${counts} times`,
      {
        kind: 'disagreement',
        cost: meter.cost,
        evidence,
        hint: 'Use the strategy "majority", or ask for a shorter, more exact form of answer.',
      },
    );
  }
  return freezeResult({ value: tally.winner, score: tally.ratio, cost: meter.cost, evidence });
}

function checkArguments(model: unknown, prompt: unknown, options: ConsensusOptions): void {
  const where = 'consensus';
  checkModel(where, model);
  checkText(where, 'prompt', prompt);
  checkNumber(where, 'samples', options.samples, { integer: true, min: 1 });
  checkChoice(where, 'strategy', options.strategy, Object.keys(decides));
  checkChoice(where, 'ties', options.ties, ['first', 'fail']);
  if (typeof options.normalise !== 'function') {
    checkChoice(where, 'normalise', options.normalise, [...Object.keys(normalisers), 'judge']);
  }
  checkNumber(where, 'temperature', options.temperature, { min: 0, max: 2 });
  checkNumber(where, 'maxTokens', options.maxTokens, { integer: true, min: 1 });
  checkNumber(where, 'concurrency', options.concurrency, { integer: true, min: 1 });
  checkFunction(where, 'onProgress', options.onProgress);
  checkFunction(where, 'onTrace', options.onTrace);
}

/** Rejects with a PatternError when the judge is a model that fails, or the caller's function throws. */
async function chooseNormaliser(
  prompt: string,
  { taken }: Samples,
  meter: Meter,
  options: ConsensusOptions,
): Promise<Normaliser> {
  const { normalise = 'whitespace', signal } = options;
  const answers = taken.map(sample => sample.answer);
  const ask = asker(meter, { signal }, judgeTemperature);
  try {
    if (typeof normalise === 'function') {
      const keys = new Map(answers.map(answer => [answer, String(normalise(answer))]));
      return answer => keys.get(answer) ?? answer;
    }
    if (normalise !== 'judge') return normalisers[normalise];
    return await groupByMeaning(ask, { prompt, answers, note: meter.note });
  } catch (error) {
    const evidence = { answers: Object.freeze(answers), notes: meter.notes };
    throw toPatternError('consensus', error, {
      signal,
      cost: meter.cost,
      evidence,
      fallback: 'judge-failed',
    });
  }
}

function gatherEvidence({ taken }: Samples, meter: Meter, normalise: Normaliser): ConsensusEvidence {
  const answers = taken.map(sample => sample.answer);
  const { counts, distinct, tieCount } =
    answers.length > 0 ? countVotes(answers, normalise) : { counts: [], distinct: 0, tieCount: 0 };
  return { answers: Object.freeze(answers), counts, distinct, ties: tieCount, notes: meter.notes };
}

function toError(
  failures: readonly SampleFailure[],
  samples: number,
  signal: AbortSignal | undefined,
  meter: Meter,
  evidence: ConsensusEvidence,
): PatternError {
  const chosen = mostTelling(failures, failure => failure.error, signal);
  const others = failures
    .filter(failure => failure.error !== chosen.error)
    .map(({ sample, error }) => Object.freeze({ sample, message: messageOf(error) }));
  return toPatternError('consensus', chosen.error, {
    signal,
    cost: meter.cost,
    // The samples that failed beside the one that is the cause.
    evidence: { ...evidence, failures: Object.freeze(others) },
    fallback: 'samples-failed',
    message: `sample ${chosen.sample} of ${samples} failed: ${messageOf(chosen.error)}`,
  });
}
