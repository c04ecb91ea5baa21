import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Model, ModelRequest, Part, RespondOptions } from '../../models/model.ts';
import { tool } from '../../tools/tool.ts';
import { consensus } from '../consensus.ts';
import type { Cost } from '../contract/result.ts';
import { mapReduce } from '../map-reduce.ts';
import { pipe } from '../pipe.ts';
import { reactLoop } from '../react.ts';
import { refine } from '../refine.ts';
import { structured } from '../structured.ts';
import { Budget, type BudgetLimits, type Reservation } from './budget.ts';
import { estimateInput } from './estimate.ts';

/** What a request really used, beside what was kept for it. */
interface Use {
  readonly inputTokens: number;
  outputTokens: number;
  /** How many more tokens its input had than was estimated; may be below 0. */
  readonly error: number;
}

/** A budget that remembers which requests had a place, untold, when the last one was given one. */
class WatchedBudget extends Budget {
  readonly #untold = new Set<number>();
  #made = 0;
  /** By their numbers, in the order in which places were given. */
  untold: readonly number[] = [];

  override reserve(request: ModelRequest): Reservation {
    const place = super.reserve(request);
    const number = this.#made++;
    this.#untold.add(number);
    this.untold = [...this.#untold];
    return {
      ...place,
      settle: (used, left) => {
        // Of one that was left the estimate stands for ever.
        if (left !== true) this.#untold.delete(number);
        place.settle(used, left);
      },
    };
  }
}

/**
 * A model whose use is exact. Its input is what was estimated and an error of the test's choice; its output comes in words
 * of a token each, as many as the test wants or the request allows, and counts as it comes.
 */
function exactModel({ wanted, errors }: Pick<Scenario, 'wanted' | 'errors'>): {
  readonly model: Model;
  readonly uses: readonly Use[];
} {
  const uses: Use[] = [];
  async function* respond(request: ModelRequest, options: RespondOptions = {}): AsyncGenerator<Part> {
    options.onAttempt?.({ model: 'exact', number: 1 });
    const number = uses.length;
    const output = Math.min(wanted[number % wanted.length] ?? 1, request.maxTokens ?? Infinity);
    const estimate = estimateInput(request);
    const error = Math.max(-estimate, errors[number % errors.length] ?? 0);
    const use = { inputTokens: estimate + error, outputTokens: 0, error };
    uses.push(use);
    await Promise.resolve();
    for (let word = 0; word < output; word += 1) {
      use.outputTokens += 1;
      // Every third answer of three words or more is a call: loops go on, and come to an end.
      const isCall = (request.tools?.length ?? 0) > 0 && number % 3 !== 2;
      if (isCall && word === 0) yield { type: 'tool-call-start', index: 0, id: `c${number}`, name: 'look' };
      if (isCall) yield { type: 'tool-call-delta', index: 0, arguments: word === 0 ? '{ }' : '   ' };
      else yield { type: 'text', text: `${word % 10}  ` };
    }
    yield { type: 'usage', usage: { inputTokens: use.inputTokens, outputTokens: output, requests: 1 } };
  }
  return { model: { name: 'exact', respond }, uses };
}

const look = tool({ name: 'look', description: 'Looks', run: () => 'seen' });
const number = { type: 'number', minimum: 5 } as const;
const templates = { map: '{item}', reduce: '{results}' } as const;

type Run = (model: Model, options: { budget?: Budget; signal?: AbortSignal }) => Promise<unknown>;

/** Every pattern, with as much at once as it can. */
const patterns = {
  consensus: (model, options) => consensus(model, 'p', { ...options, samples: 7, concurrency: 7 }),
  judged: (model, options) => consensus(model, 'p', { ...options, samples: 4, normalise: 'judge' }),
  mapReduce: (model, options) =>
    mapReduce(model, [...'abcdef'], { ...templates, ...options, concurrency: 6 }),
  skipping: (model, options) =>
    mapReduce(model, [...'abcdefgh'], { ...templates, ...options, onItemFailure: 'skip' }),
  reactLoop: (model, options) => reactLoop(model, 'p', { ...options, tools: [look] }),
  refine: (model, options) => refine(model, 'p', { ...options, target: 1 }),
  structured: (model, options) => structured(model, 'p', { ...options, schema: number }),
  pipe: (model, options) =>
    pipe(model)
      .step('many', (text, use) => consensus(use.model, text, { ...use, samples: 3 }))
      .step('each', (text, use) => mapReduce(use.model, [text, text], { ...use, ...templates }))
      .step('tools', (text, use) => reactLoop(use.model, text, { ...use, tools: [look] }))
      .step('better', (text, use) => refine(use.model, text, { ...use, maxIterations: 2 }))
      .run('p', options),
  // Three at once that share what they may spend.
  together: (model, options) =>
    Promise.all([
      consensus(model, 'p', { ...options, samples: 3 }),
      mapReduce(model, [...'abc'], { ...templates, ...options }),
      reactLoop(model, 'p', { ...options, tools: [look] }),
    ]),
} satisfies Readonly<Record<string, Run>>;

const names = Object.keys(patterns) as (keyof typeof patterns)[];

interface Scenario {
  readonly pattern: keyof typeof patterns;
  readonly limits: BudgetLimits;
  /** Words of each answer in turn. */
  readonly wanted: readonly number[];
  /** Of the estimates in turn. */
  readonly errors: readonly number[];
  /** The caller leaves at this request, if there are as many. */
  readonly leaveAt: number;
}

const rate = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 100, noNaN: true }));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const scenario = (errors: fc.Arbitrary<number>): fc.Arbitrary<Scenario> =>
  fc.record({
    pattern: fc.constantFrom(...names),
    limits: fc.record({
      calls: maybe(fc.integer({ min: 1, max: 12 })),
      inputTokens: maybe(fc.integer({ min: 1, max: 1500 })),
      outputTokens: maybe(fc.integer({ min: 1, max: 300 })),
      tokens: maybe(fc.integer({ min: 1, max: 2000 })),
      money: maybe(fc.double({ min: 1e-6, max: 0.05, noNaN: true })),
      rates: fc.record({ input: rate, output: rate }),
    }),
    wanted: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }),
    errors: fc.array(errors, { minLength: 1, maxLength: 8 }),
    leaveAt: fc.integer({ min: 1, max: 20 }),
  });

/** Runs it to its end, and once more with what is left: a budget outlives the run that was left. */
async function play(
  scene: Scenario,
): Promise<{ readonly uses: readonly Use[]; readonly budget: WatchedBudget }> {
  const budget = new WatchedBudget(scene.limits);
  const { model, uses } = exactModel(scene);
  const leaving = new AbortController();
  const watched: Model = {
    name: model.name,
    respond: (request, options) => {
      if (uses.length + 1 === scene.leaveAt) queueMicrotask(() => leaving.abort(new Error('enough')));
      return model.respond(request, options);
    },
  };
  const run = patterns[scene.pattern] as Run;
  const ended = async (done: Promise<unknown>): Promise<void> => void (await done.catch(() => undefined));
  await ended(run(watched, { budget, signal: leaving.signal }));
  // What others of the run were at when the first of them failed is over when its turn comes.
  await new Promise(setImmediate);
  await ended(run(model, { budget }));
  await new Promise(setImmediate);
  return { uses, budget };
}

const amounts = (uses: readonly Use[], { rates = { input: 0, output: 0 } }: BudgetLimits) => {
  const inputTokens = uses.reduce((sum, use) => sum + use.inputTokens, 0);
  const outputTokens = uses.reduce((sum, use) => sum + use.outputTokens, 0);
  const money = (inputTokens * rates.input + outputTokens * rates.output) / 1e6;
  return { inputTokens, outputTokens, tokens: inputTokens + outputTokens, money };
};

/** How far the errors of the estimates of what was in flight, or left in flight, may carry it over the limits. */
const allowance = (uses: readonly Use[], { untold }: WatchedBudget, { rates }: BudgetLimits) => {
  const error = untold.reduce((sum, each) => sum + Math.max(0, uses[each]?.error ?? 0), 0);
  return {
    ...{ inputTokens: error, outputTokens: 0, tokens: error },
    money: (error * (rates?.input ?? 0)) / 1e6,
  };
};

function expectWithin(scene: Scenario, uses: readonly Use[], budget: WatchedBudget): void {
  const { limits } = scene;
  expect(uses.length).toBeLessThanOrEqual(limits.calls ?? Infinity);
  const used = amounts(uses, limits);
  const over = allowance(uses, budget, limits);
  for (const field of ['inputTokens', 'outputTokens', 'tokens', 'money'] as const) {
    // Sums of money are rounded.
    expect(used[field], field).toBeLessThanOrEqual(((limits[field] ?? Infinity) + over[field]) * (1 + 1e-9));
  }
}

describe('over a thousand random runs of all patterns, one budget for all that runs at once', () => {
  it('with a model whose counts are as estimated passes neither calls nor tokens nor money', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(fc.constant(0)), async scene => {
        const { uses, budget } = await play(scene);
        expectWithin(scene, uses, budget);
        expect(budget.spent.calls).toBe(uses.length);
      }),
      { numRuns: 1000 },
    );
  }, 300_000);

  it('with a model that counts otherwise passes them by no more than the estimates of calls in flight err', async () => {
    await fc.assert(
      fc.asyncProperty(scenario(fc.integer({ min: -20, max: 60 })), async scene => {
        const { uses, budget } = await play(scene);
        expectWithin(scene, uses, budget);
      }),
      { numRuns: 1000 },
    );
  }, 300_000);
});

describe('a call that is cancelled', () => {
  it('makes no further model call, whatever the pattern and wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.integer({ min: 1, max: 14 }), async (pattern, at) => {
        const { model, uses } = exactModel({ wanted: [1, 2, 3], errors: [0] });
        const controller = new AbortController();
        let sent = 0;
        let sentAtAbort: number | undefined;
        const counting: Model = {
          name: 'counting',
          async *respond(request, options = {}) {
            const onAttempt: RespondOptions['onAttempt'] = attempt => {
              options.onAttempt?.(attempt);
              sent += 1;
              if (sent !== at) return;
              controller.abort(new Error('enough'));
              sentAtAbort = sent;
            };
            yield* model.respond(request, { ...options, onAttempt });
          },
        };
        const run = (patterns[pattern] as Run)(counting, { signal: controller.signal });
        const error = await run.then(
          () => undefined,
          (thrown: { readonly kind: string; readonly cost: Cost }) => thrown,
        );
        await new Promise(setImmediate);
        if (sentAtAbort === undefined) return;
        expect([sent, uses.length]).toEqual([at, at]);
        expect(error?.kind).toBe('aborted');
        if (pattern !== 'together') expect(error?.cost.calls).toBe(at);
      }),
      { numRuns: 300 },
    );
  }, 300_000);
});
