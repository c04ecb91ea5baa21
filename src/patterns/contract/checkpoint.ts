/** How far a pattern is, as JSON that can be kept and given back to go on from, by the same pattern with the same task. */
import { messageOf } from '../../basics/failure.ts';
import { canonicalJson } from '../../basics/fingerprint.ts';
import { isObject, printJson } from '../../basics/json.ts';
import { notify } from '../../basics/notify.ts';
import { checkFunction } from '../../basics/option-checks.ts';
import { isCount } from '../../models/countable-usage.ts';
import type { Budget } from '../budget/budget.ts';
import type { RunSpending } from '../budget/counted-runs.ts';
import { addCost, type Cost, noCost } from './result.ts';
import { describeError, type Observers } from './trace.ts';

/** What was spent until then is counted on, and by the budget of whoever goes on what it has not counted before. */
export interface Checkpoint<State> {
  readonly version: 1;
  /** Which pattern can go on from it. */
  readonly pattern: string;
  /** Hashes of what the pattern was given, by the name of each part: with anything else it does not go on. */
  readonly task: Readonly<Record<string, string>>;
  /** Of all the runs that led here. */
  readonly cost: Cost;
  /** What each of them spent, oldest first; those that spent nothing are left out. */
  readonly runs: readonly RunSpending[];
  /** What there was to say until then. */
  readonly notes: readonly string[];
  readonly state: State;
}

/** How a pattern keeps checkpoints. */
export interface CheckpointOptions<State> {
  /**
   * Told how far it is. Keep what it is given before it returns, as by a write that is done. What it throws or rejects
   * with does not stop the work: a `checkpoint-failed` event tells of it, and a note how often.
   */
  readonly onCheckpoint?: ((checkpoint: Checkpoint<State>) => void) | undefined;
  /** A checkpoint to go on from. A TypeError says when it is none, or one of another task. */
  readonly resume?: Checkpoint<State> | undefined;
}

/** The checkpoints of one run. */
export interface Checkpoints<State> {
  /** What was spent before. */
  readonly before: Cost;
  readonly notes: readonly string[];
  readonly state: State | undefined;
  /** `spent` is what was spent since. */
  save(state: State, spent: Cost, notes: readonly string[]): void;
}

/** What a pattern is, to its checkpoints. */
export interface CheckpointFacts<State> {
  readonly where: string;
  /** By the name of each part, as JSON; asked for only when there are checkpoints. */
  readonly task: () => Readonly<Record<string, unknown>>;
  readonly isState: (state: unknown) => state is State;
  readonly budget: Budget | undefined;
  /** Takes what there is to say; one under the same key replaces what was said before. */
  readonly note: (message: string, key: string) => void;
}

/** Rejects with a TypeError for a checkpoint that cannot be used, and counts what it has cost into the budget. */
export async function openCheckpoints<State>(
  { where, task, isState, budget, note }: CheckpointFacts<State>,
  { onCheckpoint, resume, onTrace, traceContent }: CheckpointOptions<State> & Observers,
): Promise<Checkpoints<State>> {
  checkFunction(where, 'onCheckpoint', onCheckpoint);
  if (onCheckpoint === undefined && resume === undefined) {
    return { before: noCost, notes: [], state: undefined, save: () => {} };
  }
  if (resume !== undefined) checkHead(where, resume);
  const parts = await hashParts(task());
  if (resume !== undefined) {
    checkTask(where, resume.task, parts);
    if (!isSpending(resume) || !isTexts(resume.notes) || !isState(resume.state)) throw damaged(where);
    budget?.countIn(resume.runs);
  }
  const { cost: before, runs } = resume ?? { cost: noCost, runs: [] };
  const start = budget?.elapsed ?? 0;
  const id = globalThis.crypto.randomUUID();
  let made = 0;
  let lost = 0;
  let loss: string | undefined;
  const lose = (error: unknown): void => {
    lost += 1;
    notify(onTrace, { type: 'checkpoint-failed', ...describeError(error, traceContent) });
    loss = `${lost} of ${made} checkpoints were not kept, the last of them because: ${messageOf(error)}`;
    note(loss, id);
  };
  return {
    before,
    notes: resume?.notes ?? [],
    state: resume?.state,
    save(state, cost, said) {
      made += 1;
      // Who goes on from one has lost nothing.
      const notes = said.filter(each => each !== loss);
      const ms = (budget?.elapsed ?? 0) - start;
      const run = budget?.record(id, cost, ms) ?? { id, cost, ms, booked: [] };
      const spending = { cost: addCost(before, cost), runs: [...runs, run].filter(hasSpent) };
      hand(onCheckpoint, { version: 1, pattern: where, task: parts, ...spending, notes, state }, lose);
    },
  };
}

/** Never throws; `fail` is told what `keep` throws, or rejects with later. */
function hand<State>(
  keep: CheckpointOptions<State>['onCheckpoint'],
  checkpoint: Checkpoint<State>,
  fail: (error: unknown) => void,
): void {
  try {
    const outcome: unknown = keep?.(checkpoint);
    if (outcome instanceof Promise) outcome.catch(fail);
  } catch (error) {
    fail(error);
  }
}

function checkHead(where: string, checkpoint: unknown): void {
  const { version, pattern, task } = (checkpoint ?? {}) as Readonly<Record<string, unknown>>;
  if (pattern !== where) {
    throw new TypeError(
      `${where}: resume must be a checkpoint of ${where}, got ${typeof pattern === 'string' ? `one of ${JSON.stringify(pattern)}` : 'something else'}`,
    );
  }
  if (version !== 1)
    throw new TypeError(`${where}: resume has version ${String(version)}; this one reads version 1`);
  if (!isObject(task) || !isTexts(Object.values(task))) throw damaged(where);
}

function checkTask(where: string, then: Checkpoint<unknown>['task'], now: Checkpoint<unknown>['task']): void {
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const different = names.filter(name => then[name] !== now[name]);
  if (different.length === 0) return;
  throw new TypeError(
    `${where}: resume is a checkpoint of another task: ${different.join(', ')} ${different.length === 1 ? 'is' : 'are'} not what it was made with`,
  );
}

function damaged(where: string): TypeError {
  return new TypeError(`${where}: resume is damaged; give what onCheckpoint was given, whole`);
}

function hasSpent({ cost, ms }: RunSpending): boolean {
  return [cost.inputTokens, cost.outputTokens, cost.calls, ms].some(amount => amount > 0);
}

function isSpending({ cost, runs }: Pick<Checkpoint<unknown>, 'cost' | 'runs'>): boolean {
  return isCost(cost) && Array.isArray(runs) && runs.every(isRun);
}

function isRun(run: unknown): boolean {
  const { id, cost, ms, booked } = (run ?? {}) as Partial<Record<keyof RunSpending, unknown>>;
  return typeof id === 'string' && isCost(cost) && isCount(ms) && isTexts(booked);
}

function isCost(cost: unknown): boolean {
  const { inputTokens, outputTokens, calls } = (cost ?? {}) as Partial<Record<keyof Cost, unknown>>;
  return [inputTokens, outputTokens, calls].every(isCount);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string');
}

async function hashParts(parts: Readonly<Record<string, unknown>>): Promise<Checkpoint<unknown>['task']> {
  const hashed = Object.entries(parts).map(
    // Printed first, so that what is no JSON is told of; in order, since two ways to write the same are one task.
    async ([name, value]) => [name, await hash(canonicalJson(JSON.parse(printJson(value))))] as const,
  );
  return Object.freeze(Object.fromEntries(await Promise.all(hashed)));
}

async function hash(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');
}
