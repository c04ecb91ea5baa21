/** Draft, judge, and improve from the best so far, until it is good or stops getting better. */
import { TenonError } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import { checkModel } from '../models/check-model.ts';
import type { Model, ModelMessage } from '../models/model.ts';
import { meterModel } from './asking/meter.ts';
import { type CheckpointOptions, openCheckpoints } from './contract/checkpoint.ts';
import { toPatternError } from './contract/failures.ts';
import type { PatternErrorKind } from './contract/pattern-error.ts';
import { asker, checkPatternOptions, type PatternOptions } from './contract/pattern-options.ts';
import { addCost, freezeResult, type PatternResult } from './contract/result.ts';
import { type Judge, modelJudge, type Verdict } from './text/judge.ts';

/** How far a refinement is. */
export interface RefineState {
  readonly best: string;
  readonly bestScore: number;
  readonly feedback?: string | undefined;
  /** Of each draft, the first included. */
  readonly scores: readonly number[];
}

/** A checkpoint is made when a draft was judged; with one nothing is asked for again. It is bound to the prompt. */
export interface RefineOptions extends PatternOptions, CheckpointOptions<RefineState> {
  /** The score that is good enough, from 0 to 1; 0.9 by default. */
  readonly target?: number | undefined;
  /** Most improvements of the first draft: an integer of at least 0; 5 by default. */
  readonly maxIterations?: number | undefined;
  /** After how many drafts in a row without a better score it ends: an integer of at least 1; 3 by default. */
  readonly patience?: number | undefined;
  /** What counts as a better score at least; 0.01 by default. */
  readonly delta?: number | undefined;
  /** Scores a draft; the model itself, asked with a temperature of 0.1, unless set. */
  readonly judge?: Judge | undefined;
  /** The model of the judge; the one that writes unless set. Nothing when there is a `judge`. */
  readonly judgeModel?: Model | undefined;
  /** What the judge is told to look at, as sentences. */
  readonly criteria?: string | undefined;
}

export interface RefineEvidence {
  /** Improvements that were written. */
  readonly iterations: number;
  /** Whether it ended by itself: good enough, or no longer getting better. */
  readonly converged: boolean;
  /** Of each draft, the first included. */
  readonly scores: readonly number[];
  readonly notes: readonly string[];
}

const ownTemperature = 0.7;
const judgeTemperature = 0.1;
const usualCriteria = 'Look at whether it is right, complete and clear, and does what was asked.';

/**
 * Gives the best draft, not the last, with its score. Throws a TypeError before anything is spent when an argument is
 * wrong; a PatternError with the cost when a model fails, and of kind `judge-failed` when a judge of the caller gives a
 * score that is none, with the best draft so far in its evidence.
 */
export async function refine(
  model: Model,
  prompt: string,
  options: RefineOptions = {},
): Promise<PatternResult<string, RefineEvidence>> {
  const where = 'refine';
  checkArguments(where, model, prompt, options);
  const { target = 0.9, maxIterations = 5, signal, budget } = options;
  const writer = meterModel(model, budget, options);
  const facts = { where, task: () => ({ prompt }), isState, budget, note: writer.note };
  const checkpoints = await openCheckpoints(facts, options);
  const write = asker(writer, options, ownTemperature);
  const judging = meterModel(options.judgeModel ?? model, budget, options);
  for (const note of checkpoints.notes) for (const meter of [writer, judging]) meter.note(note);
  const judge = options.judge ?? ownJudge(judging, options);
  const spent = () => addCost(writer.cost, judging.cost);
  const costNow = () => addCost(checkpoints.before, spent());
  const notes = () => Object.freeze([...new Set([...writer.notes, ...judging.notes])]);
  let { state } = checkpoints;
  let fallback: PatternErrorKind | undefined;
  try {
    while (state === undefined || !isOver(state, options)) {
      const messages = state === undefined ? [toUser(prompt)] : improvement(prompt, state);
      const draft = (await write(state === undefined ? 'the draft' : 'the improvement', { messages })).text;
      fallback = options.judge && 'judge-failed';
      const verdict = readVerdict(await judge(draft, { task: prompt, signal }));
      fallback = undefined;
      state = advance(state, draft, verdict);
      const { scores } = state;
      notify(options.onProgress, { done: scores.length, total: maxIterations + 1 });
      checkpoints.save(state, spent(), notes());
    }
  } catch (error) {
    const evidence = {
      ...gather(state, false, notes()),
      ...(state && { best: state.best, score: state.bestScore }),
    };
    throw toPatternError(where, error, { signal, cost: costNow(), evidence, fallback });
  }
  const converged = state.bestScore >= target || isStale(state.scores, options);
  const evidence = gather(state, converged, notes());
  return freezeResult({ value: state.best, score: state.bestScore, cost: costNow(), evidence });
}

function checkArguments(where: string, model: unknown, prompt: unknown, options: RefineOptions): void {
  checkPatternOptions(where, model, options);
  checkText(where, 'prompt', prompt);
  checkNumber(where, 'target', options.target, { min: 0, max: 1 });
  checkNumber(where, 'maxIterations', options.maxIterations, { integer: true, min: 0 });
  checkNumber(where, 'patience', options.patience, { integer: true, min: 1 });
  checkNumber(where, 'delta', options.delta, { min: 0, max: 1 });
  checkFunction(where, 'judge', options.judge);
  if (options.judgeModel !== undefined) checkModel(where, options.judgeModel);
}

function isState(state: unknown): state is RefineState {
  const { best, bestScore, scores } = (state ?? {}) as Partial<Record<keyof RefineState, unknown>>;
  return (
    typeof best === 'string' &&
    isScore(bestScore) &&
    Array.isArray(scores) &&
    scores.length > 0 &&
    scores.every(isScore)
  );
}

function ownJudge(meter: ReturnType<typeof meterModel>, options: RefineOptions): Judge {
  // The writer's settings are not the judge's.
  const ask = asker(meter, { signal: options.signal }, judgeTemperature);
  return modelJudge(ask, options.criteria ?? usualCriteria, meter.note);
}

function readVerdict(given: Verdict | number): Verdict {
  const verdict = typeof given === 'number' ? { score: given } : given;
  if (isScore(verdict?.score)) return verdict;
  throw new TenonError(`the judge gave ${String(verdict?.score)}, which is no score from 0 to 1`, {
    hint: 'A judge gives a number from 0 to 1, or an object with such a score.',
  });
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function advance(state: RefineState | undefined, draft: string, { score, feedback }: Verdict): RefineState {
  const scores = Object.freeze([...(state?.scores ?? []), score]);
  if (state !== undefined && score <= state.bestScore) return { ...state, scores };
  return { best: draft, bestScore: score, ...(feedback === undefined ? {} : { feedback }), scores };
}

function isOver(state: RefineState, options: RefineOptions): boolean {
  const { target = 0.9, maxIterations = 5 } = options;
  return state.bestScore >= target || state.scores.length > maxIterations || isStale(state.scores, options);
}

/** Whether the last drafts brought nothing that counts over the best before them. */
function isStale(scores: readonly number[], { patience = 3, delta = 0.01 }: RefineOptions): boolean {
  if (scores.length <= patience) return false;
  const before = Math.max(...scores.slice(0, -patience));
  return scores.slice(-patience).every(score => score - before <= delta);
}

function improvement(prompt: string, { best, bestScore, feedback }: RefineState): readonly ModelMessage[] {
  const said = feedback === undefined ? '' : ` What was said of it: ${feedback}`;
  const ask = `That was judged ${Math.round(bestScore * 100)} of 100.${said}\n\nWrite it again, better. Answer with nothing but the text itself.`;
  return [toUser(prompt), { role: 'assistant', content: best }, toUser(ask)];
}

function gather(
  state: RefineState | undefined,
  converged: boolean,
  notes: readonly string[],
): RefineEvidence {
  const scores = state?.scores ?? [];
  return { iterations: Math.max(0, scores.length - 1), converged, scores: Object.freeze([...scores]), notes };
}

function toUser(content: string): ModelMessage {
  return { role: 'user', content };
}
