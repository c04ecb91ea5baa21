import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { scripted } from '../testing/scripted.ts';
import { Budget } from './budget/budget.ts';
import type { Checkpoint } from './contract/checkpoint.ts';
import { failureOf } from './fixtures/pattern-failure.ts';
import { type MapReduceOptions, type MapState, mapReduce } from './map-reduce.ts';

const templates = { map: 'Sum up {item}', reduce: 'Join: {results}' };
const down = new ModelError('down', { kind: 'server', provider: 'p' });

/** Answers with what it was asked in capitals; fails where the text says so. */
const shouting = (): ReturnType<typeof scripted> =>
  scripted(
    Array.from({ length: 50 }, () => ({ messages }: ModelRequest) => {
      const text = String(messages.at(-1)?.content);
      return text.includes('bad') && text.startsWith('Sum') ? down : text.toUpperCase();
    }),
  );

describe('mapReduce', () => {
  it('asks about each item and then about all answers, in the order of the items', async () => {
    const model = shouting();
    const result = await mapReduce(model, ['a', 'b', 'c'], templates);
    expect(result).toMatchObject({
      value: 'JOIN: SUM UP A\n\n---\n\nSUM UP B\n\n---\n\nSUM UP C',
      score: 1,
      cost: { calls: 4 },
      evidence: { mapped: ['SUM UP A', 'SUM UP B', 'SUM UP C'], failures: [], notes: [] },
    });
    expect(model.requests[0]?.temperature).toBe(0.3);
  });

  it('fills in number and count, and leaves braces of items alone', async () => {
    const model = shouting();
    await mapReduce(model, ['{count}'], { map: '{number} of {count}: {item} {{x}}', reduce: '{results}' });
    expect(model.requests[0]?.messages[0]?.content).toBe('1 of 1: {count} {x}');
  });

  it('asks the last question even without items', async () => {
    const result = await mapReduce(shouting(), [], templates);
    expect(result).toMatchObject({ value: 'JOIN: ', score: 1, cost: { calls: 1 } });
  });

  it.each<[string, Partial<MapReduceOptions>, RegExp]>([
    [
      'a place nobody fills',
      { reduce: 'Join {result}' },
      /mapReduce: reduce: nothing is filled in at \{result\}/,
    ],
    ['a missing place', { reduce: 'Join' }, /\{results\} is missing/],
    ['a single brace', { map: '{item} {' }, /single "\{" at character 7/],
    ['too many items', { maxItems: 1 }, /2 items and at most 1/],
    ['odd concurrency', { concurrency: 0 }, /concurrency/],
  ])('refuses %s before the first call is paid', async (_what, options, message) => {
    const model = shouting();
    await expect(mapReduce(model, ['a', 'b'], { ...templates, ...options })).rejects.toThrow(message);
    expect(model.requests).toEqual([]);
  });

  it('stops at the first item that fails, with the cost and what there is', async () => {
    const model = shouting();
    const error = await failureOf(mapReduce(model, ['a', 'bad', 'c'], { ...templates, concurrency: 1 }));
    expect(error).toMatchObject({
      kind: 'items-failed',
      message: 'mapReduce: item 2 of 3 failed: down',
      cost: { calls: 2 },
      evidence: { mapped: ['SUM UP A', undefined, undefined] },
    });
    expect(error.cause).toBe(down);
  });

  it('makes the answer of the others when failures are to be skipped', async () => {
    const result = await mapReduce(shouting(), ['a', 'bad', 'c'], { ...templates, onItemFailure: 'skip' });
    expect(result).toMatchObject({
      value: 'JOIN: SUM UP A\n\n---\n\nSUM UP C',
      score: 2 / 3,
      evidence: {
        failures: [{ index: 1, message: 'down' }],
        notes: ['1 of 3 items failed and are left out'],
      },
    });
  });

  it('fails when every item failed, whatever is skipped', async () => {
    const run = mapReduce(shouting(), ['bad', 'bad'], { ...templates, onItemFailure: 'skip' });
    expect(await failureOf(run)).toMatchObject({ kind: 'items-failed', cost: { calls: 2 } });
  });

  it('keeps to its concurrency', async () => {
    let running = 0;
    let most = 0;
    const model = scripted(
      Array.from({ length: 9 }, () => async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return 'x';
      }),
    );
    await mapReduce(model, [...'abcdefgh'], { ...templates, concurrency: 3 });
    expect(most).toBe(3);
  });

  it('never passes a budget of calls, and keeps its cost on the error', async () => {
    const budget = new Budget({ calls: 3 });
    const model = shouting();
    const error = await failureOf(mapReduce(model, [...'abcdef'], { ...templates, budget }));
    expect(error).toMatchObject({ kind: 'budget', cost: { calls: 3 } });
    expect(model.requests).toHaveLength(3);
  });

  it('makes no further call once the caller aborts', async () => {
    const controller = new AbortController();
    const model = shouting();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const run = mapReduce(model, [...'abc'], {
      ...templates,
      concurrency: 1,
      signal: controller.signal,
      onProgress,
      onItemFailure: 'skip',
    });
    expect(await failureOf(run)).toMatchObject({ kind: 'aborted', cost: { calls: 1 } });
    expect(model.requests).toHaveLength(1);
  });

  it('goes on from a checkpoint without asking about an item twice', async () => {
    const checkpoints: Checkpoint<MapState>[] = [];
    const onCheckpoint = (checkpoint: Checkpoint<MapState>): void =>
      void checkpoints.push(JSON.parse(JSON.stringify(checkpoint)) as typeof checkpoint);
    const whole = await mapReduce(shouting(), ['a', 'b', 'c'], {
      ...templates,
      concurrency: 1,
      onCheckpoint,
    });
    const model = shouting();
    const resumed = await mapReduce(model, ['a', 'b', 'c'], { ...templates, resume: checkpoints[1] });
    expect(resumed).toEqual(whole);
    expect(model.requests).toHaveLength(2);
    const other = mapReduce(model, ['a'], { ...templates, resume: checkpoints[1] });
    await expect(other).rejects.toThrow('another task: items is not');
  });

  it('goes on when checkpoints cannot be kept, and says how many', async () => {
    const onCheckpoint = (): never => {
      throw new Error('disk full');
    };
    const { value, evidence } = await mapReduce(shouting(), ['a', 'b'], { ...templates, onCheckpoint });
    expect(value).not.toBe('');
    expect(evidence.notes).toEqual(['2 of 2 checkpoints were not kept, the last of them because: disk full']);
  });

  it('counts what a checkpoint has cost into a budget that has not counted it', async () => {
    const checkpoints: Checkpoint<MapState>[] = [];
    const budget = new Budget({ calls: 9 });
    const onCheckpoint = (checkpoint: Checkpoint<MapState>): void => void checkpoints.push(checkpoint);
    await mapReduce(shouting(), ['a', 'b'], { ...templates, concurrency: 1, budget, onCheckpoint });
    const other = new Budget({ calls: 3 });
    const resume = checkpoints[1];
    expect(
      (await mapReduce(shouting(), ['a', 'b'], { ...templates, budget: other, resume })).cost.calls,
    ).toBe(3);
    expect([budget.spent.calls, other.spent.calls]).toEqual([3, 3]);
    await mapReduce(shouting(), ['a', 'b'], { ...templates, budget, resume });
    expect(budget.spent.calls).toBe(4);
  });

  it.each([[[null]], [[{ index: 0 }]], [[{ index: 7, text: 'x' }]], ['x']])(
    'refuses a checkpoint whose results are %j',
    async results => {
      const made: Checkpoint<MapState>[] = [];
      await mapReduce(shouting(), ['a'], { ...templates, onCheckpoint: each => void made.push(each) });
      const resume = { ...made[0], state: { results } } as unknown as Checkpoint<MapState>;
      await expect(mapReduce(shouting(), ['a'], { ...templates, resume })).rejects.toThrow(/damaged/);
    },
  );
});
