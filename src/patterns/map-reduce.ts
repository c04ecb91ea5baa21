/** The same question about each of many items, and one answer made of all of them. */
import { linkAbort } from '../basics/abort.ts';
import { messageOf, TenonError } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkChoice, checkNumber } from '../basics/option-checks.ts';
import type { Model, ModelMessage } from '../models/model.ts';
import { type CheckpointOptions, openCheckpoints } from './contract/checkpoint.ts';
import { mostTelling, toPatternError } from './contract/failures.ts';
import type { PatternError } from './contract/pattern-error.ts';
import {
  askThrough,
  checkPatternOptions,
  type PatternOptions,
  type TextAsker,
} from './contract/pattern-options.ts';
import { addCost, freezeResult, type PatternResult } from './contract/result.ts';
import { readTemplate, type Template } from './text/template.ts';

/** What came of the items until now, by their place. */
export interface MapState {
  readonly results: readonly { readonly index: number; readonly text: string }[];
}

/** A checkpoint is made after each item; those that were done are not asked about again. It is bound to items and `map`. */
export interface MapReduceOptions extends PatternOptions, CheckpointOptions<MapState> {
  /** What is asked about each item: text with `{item}`, and perhaps `{number}` (from 1) and `{count}`. */
  readonly map: string;
  /** What is asked at the end: text with `{results}`, and perhaps `{count}`. */
  readonly reduce: string;
  /** How many items are asked about at once; 10 by default. */
  readonly concurrency?: number | undefined;
  /** Most items; 1,000 by default, so that a slip does not become a bill. */
  readonly maxItems?: number | undefined;
  /** `fail` (the default): the first item that fails stops everything. `skip`: the answer is made of the others. */
  readonly onItemFailure?: 'fail' | 'skip' | undefined;
}

export interface MapReduceEvidence {
  /** The answers about the items in their order; `undefined` where an item failed or was not asked about. */
  readonly mapped: readonly (string | undefined)[];
  readonly failures: readonly { readonly index: number; readonly message: string }[];
  readonly notes: readonly string[];
}

interface ItemFailure {
  readonly index: number;
  readonly error: unknown;
}

const ownTemperature = 0.3;
const rule = '\n\n---\n\n';

/**
 * Asks about each item, some at once, then once about all answers, which stand in the order of the items with a rule
 * between them. `score` is the share of the items that worked. With no items there is only the last question. Templates
 * and items are checked first: a TypeError comes before anything is spent. Else it rejects with a PatternError that has
 * the cost and what there is of the answers; of kind `items-failed` when an item failed, or with `skip` all of them.
 */
export async function mapReduce(
  model: Model,
  items: readonly string[],
  options: MapReduceOptions,
): Promise<PatternResult<string, MapReduceEvidence>> {
  const where = 'mapReduce';
  const templates = checkArguments(where, model, items, options);
  const { signal, budget, map } = options;
  const task = () => ({ items, map });
  const isOurs = (state: unknown): state is MapState => isState(state, items.length);
  const { meter, ask } = askThrough(model, options, ownTemperature);
  const { note } = meter;
  const checkpoints = await openCheckpoints({ where, task, isState: isOurs, budget, note }, options);
  for (const said of checkpoints.notes) note(said);
  const costNow = () => addCost(checkpoints.before, meter.cost);
  const mapped: (string | undefined)[] = items.map(() => undefined);
  for (const { index, text } of checkpoints.state?.results ?? []) mapped[index] = text;
  const total = items.length + 1;
  const count = String(items.length);
  const save = (): void => {
    const results = mapped.flatMap((text, index) => (text === undefined ? [] : [{ index, text }]));
    notify(options.onProgress, { done: results.length, total });
    checkpoints.save({ results }, meter.cost, meter.notes);
  };
  const question = (index: number): string =>
    templates.map.fill({ item: items[index] ?? '', number: String(index + 1), count });
  const failures = await askAboutAll({ mapped, question, ask, save, options });
  const evidence = (): MapReduceEvidence => ({
    mapped: Object.freeze([...mapped]),
    failures: Object.freeze(failures.map(({ index, error }) => ({ index, message: messageOf(error) }))),
    notes: meter.notes,
  });
  const done = mapped.filter(text => text !== undefined);
  const fail = (error: unknown, more: { fallback?: 'items-failed'; message?: string } = {}): PatternError =>
    toPatternError(where, error, { signal, cost: costNow(), evidence: evidence(), ...more });
  const isFatal = options.onItemFailure !== 'skip' || done.length === 0 || signal?.aborted === true;
  if (failures.length > 0 && isFatal) {
    const { index, error } = mostTelling(failures, failure => failure.error, signal);
    const message = `item ${index + 1} of ${items.length} failed: ${messageOf(error)}`;
    throw fail(error, { fallback: 'items-failed', message });
  }
  if (failures.length > 0) meter.note(`${failures.length} of ${items.length} items failed and are left out`);
  try {
    const content = templates.reduce.fill({ results: done.join(rule), count: String(done.length) });
    const { text, truncated } = await ask('the last answer', { messages: [toUser(content)] });
    if (truncated) meter.note('the last answer was cut off at its token limit');
    notify(options.onProgress, { done: total, total });
    const score = items.length === 0 ? 1 : done.length / items.length;
    return freezeResult({ value: text, score, cost: costNow(), evidence: evidence() });
  } catch (error) {
    throw fail(error);
  }
}

/** Never rejects; gives what went wrong. */
async function askAboutAll({
  mapped,
  question,
  ask,
  save,
  options,
}: {
  readonly mapped: (string | undefined)[];
  readonly question: (index: number) => string;
  readonly ask: TextAsker['ask'];
  readonly save: () => void;
  readonly options: MapReduceOptions;
}): Promise<readonly ItemFailure[]> {
  const { concurrency = 10, onItemFailure = 'fail', signal } = options;
  const controller = new AbortController();
  const unlink = linkAbort([signal], controller);
  const stopped = new TenonError('stopped because another item failed');
  const failures: ItemFailure[] = [];
  const open = [...mapped.keys()].filter(index => mapped[index] === undefined);
  let next = 0;

  async function work(): Promise<void> {
    while (next < open.length && !controller.signal.aborted) {
      const index = open[next] ?? 0;
      next += 1;
      try {
        const messages = [toUser(question(index))];
        mapped[index] = (
          await ask(`the answer about item ${index + 1}`, { messages }, controller.signal)
        ).text;
        save();
      } catch (error) {
        if (error !== stopped) failures.push({ index, error });
        if (onItemFailure === 'fail') controller.abort(stopped);
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(concurrency, open.length) }, work));
  unlink();
  if (signal?.aborted === true && failures.length === 0) failures.push({ index: 0, error: signal.reason });
  return failures;
}

function checkArguments(
  where: string,
  model: unknown,
  items: unknown,
  options: MapReduceOptions,
): { readonly map: Template; readonly reduce: Template } {
  checkPatternOptions(where, model, options ?? {});
  const { maxItems = 1000 } = options;
  checkNumber(where, 'maxItems', maxItems, { integer: true, min: 1 });
  if (!Array.isArray(items) || !items.every(item => typeof item === 'string')) {
    throw new TypeError(`${where}: items must be a list of texts`);
  }
  if (items.length > maxItems) {
    throw new TypeError(
      `${where}: there are ${items.length} items and at most ${maxItems} are taken; raise maxItems`,
    );
  }
  checkNumber(where, 'concurrency', options.concurrency, { integer: true, min: 1 });
  checkChoice(where, 'onItemFailure', options.onItemFailure, ['fail', 'skip']);
  return {
    map: readTemplate(`${where}: map`, options.map, { known: ['item', 'number', 'count'], needed: ['item'] }),
    reduce: readTemplate(`${where}: reduce`, options.reduce, {
      known: ['results', 'count'],
      needed: ['results'],
    }),
  };
}

function isState(state: unknown, count: number): boolean {
  const { results } = (state ?? {}) as { readonly results?: unknown };
  return (
    Array.isArray(results) &&
    results.every(result => {
      const { index, text } = (result ?? {}) as Partial<MapState['results'][number]>;
      const isPlace = index !== undefined && Number.isInteger(index) && index >= 0 && index < count;
      return isPlace && typeof text === 'string';
    })
  );
}

function toUser(content: string): ModelMessage {
  return { role: 'user', content };
}
