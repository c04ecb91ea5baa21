/** How far a pattern is, as JSON that can be kept and given back to go on from, by the same pattern with the same task. */
import { isObject, printJson } from '../../basics/json.ts';
import { notify } from '../../basics/notify.ts';
import { checkFunction } from '../../basics/option-checks.ts';
import type { Budget, Spending } from '../budget/budget.ts';
import { addCost, type Cost, noCost } from './result.ts';

/** What was spent until then is counted on, also by the budget of whoever goes on unless it has counted it before. */
export interface Checkpoint<State> extends Spending {
  readonly version: 1;
  /** Which pattern can go on from it. */
  readonly pattern: string;
  /** Hashes of what the pattern was given, by the name of each part: with anything else it does not go on. */
  readonly task: Readonly<Record<string, string>>;
  /** What there was to say until then. */
  readonly notes: readonly string[];
  readonly state: State;
}

/** How a pattern keeps checkpoints. */
export interface CheckpointOptions<State> {
  /** Told how far it is; what it throws is dropped. Keep what it is given before it returns, as by a write that is done. */
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
}

/** Rejects with a TypeError for a checkpoint that cannot be used, and counts what it has cost into the budget. */
export async function openCheckpoints<State>(
  { where, task, isState, budget }: CheckpointFacts<State>,
  { onCheckpoint, resume }: CheckpointOptions<State>,
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
    budget?.countIn(resume);
  }
  const { cost: before, ms: taken } = resume ?? { cost: noCost, ms: 0 };
  const start = budget?.elapsed ?? 0;
  return {
    before,
    notes: resume?.notes ?? [],
    state: resume?.state,
    save(state, spent, notes) {
      const cost = addCost(before, spent);
      const ms = taken + (budget?.elapsed ?? 0) - start;
      const spending = budget?.record(cost, ms) ?? { cost, ms, booked: [] };
      notify(onCheckpoint, { version: 1, pattern: where, task: parts, ...spending, notes, state });
    },
  };
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

function isSpending({ cost, ms, booked }: Spending): boolean {
  const { inputTokens, outputTokens, calls } = (cost ?? {}) as Partial<Record<keyof Cost, unknown>>;
  const isAmount = (value: unknown): boolean =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0;
  return [inputTokens, outputTokens, calls, ms].every(isAmount) && isTexts(booked);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string');
}

async function hashParts(parts: Readonly<Record<string, unknown>>): Promise<Checkpoint<unknown>['task']> {
  const hashed = Object.entries(parts).map(
    async ([name, value]) => [name, await hash(printJson(value))] as const,
  );
  return Object.freeze(Object.fromEntries(await Promise.all(hashed)));
}

async function hash(text: string): Promise<string> {
  const bytes = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');
}
