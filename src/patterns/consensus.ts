/** Ask several times, keep what most answers say. */

import { messageOf } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkChoice, checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Model, ModelRequest } from '../models/model.ts';
import type { Budget } from './budget.ts';
import { describeReason, kindOf, mostTelling } from './failures.ts';
import { type Meter, meterModel } from './meter.ts';
import { withOwnTemperature } from './own-temperature.ts';
import { PatternError } from './pattern-error.ts';
import { freezeResult, type PatternResult } from './result.ts';
import { type SampleFailure, type Samples, takeSamples } from './samples.ts';
import type { Observers } from './trace.ts';
import { type AnswerCount, countVotes, decides, type VotingStrategy } from './voting.ts';

export interface ConsensusOptions extends Observers {
  /** How many answers are asked for: an integer of at least 1; 5 by default. */
  readonly samples?: number | undefined;
  /** `majority` by default; `unanimous` fails unless all answers agree. */
  readonly strategy?: VotingStrategy | undefined;
  /** From 0 to 2. The default of 0.9 is given up, with a note, when the model refuses it; one set here is not. */
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

/**
 * Asks the model the same several times and gives the answer that wins the vote, in the words in which it first came;
 * `score` is the share of answers that agree with it. Answers that differ in whitespace only are the same. All samples
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
  const asked =
    temperature === undefined ? withOwnTemperature(meter.model, ownTemperature, meter.note) : meter.model;
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
  const evidence = gatherEvidence(outcome, meter);
  if (outcome.failures.length > 0) throw toError(outcome.failures, samples, signal, meter, evidence);
  const tally = countVotes(evidence.answers);
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
  checkNumber(where, 'temperature', options.temperature, { min: 0, max: 2 });
  checkNumber(where, 'maxTokens', options.maxTokens, { integer: true, min: 1 });
  checkNumber(where, 'concurrency', options.concurrency, { integer: true, min: 1 });
  checkFunction(where, 'onProgress', options.onProgress);
  checkFunction(where, 'onTrace', options.onTrace);
}

function gatherEvidence({ taken }: Samples, meter: Meter): ConsensusEvidence {
  const answers = taken.map(sample => sample.answer);
  const { counts, distinct, tieCount } =
    answers.length > 0 ? countVotes(answers) : { counts: [], distinct: 0, tieCount: 0 };
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
  const kind = kindOf(chosen.error, signal, 'samples-failed');
  const others = failures
    .filter(failure => failure.error !== chosen.error)
    .map(({ sample, error }) => Object.freeze({ sample, message: messageOf(error) }));
  const message =
    kind === 'aborted'
      ? describeReason(signal?.reason)
      : `sample ${chosen.sample} of ${samples} failed: ${messageOf(chosen.error)}`;
  return new PatternError(`consensus: ${message}`, {
    kind,
    cost: meter.cost,
    cause: chosen.error,
    // The samples that failed beside the one that is the cause.
    evidence: { ...evidence, failures: Object.freeze(others) },
  });
}
