import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Model, ModelRequest, Part } from '../models/model.ts';
import { Budget } from './budget.ts';
import { consensus } from './consensus.ts';
import { estimateInput } from './estimate.ts';
import { mapReduce } from './map-reduce.ts';
import { refine } from './refine.ts';

/** A model whose use is exact: its input is what was estimated, its output what it was allowed or less. */
function exactModel(wanted: readonly number[]): {
  model: Model;
  used: () => { tokens: number; calls: number };
} {
  let calls = 0;
  let tokens = 0;
  async function* respond(
    request: ModelRequest,
    options: Parameters<Model['respond']>[1] = {},
  ): AsyncGenerator<Part> {
    options.onAttempt?.({ model: 'exact', number: 1 });
    const output = Math.min(
      wanted[calls % wanted.length] ?? 1,
      request.maxTokens ?? Number.POSITIVE_INFINITY,
    );
    calls += 1;
    const usage = { inputTokens: estimateInput(request), outputTokens: output, requests: 1 };
    tokens += usage.inputTokens + usage.outputTokens;
    await Promise.resolve();
    yield { type: 'text', text: String(output) };
    yield { type: 'usage', usage };
  }
  return { model: { name: 'exact', respond }, used: () => ({ tokens, calls }) };
}

const runs = {
  consensus: (model: Model, budget: Budget) => consensus(model, 'p', { budget, samples: 7, concurrency: 7 }),
  mapReduce: (model: Model, budget: Budget) =>
    mapReduce(model, [...'abcdef'], { map: '{item}', reduce: '{results}', budget, concurrency: 6 }),
  refine: (model: Model, budget: Budget) => refine(model, 'p', { budget, target: 1 }),
};

it('no run of a pattern passes its budget of calls or, counting exactly, of tokens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(runs) as (keyof typeof runs)[])),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 3000 }),
      fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 8 }),
      async (pattern, calls, tokens, wanted) => {
        const { model, used } = exactModel(wanted);
        const budget = new Budget({ calls, tokens });
        const ended = await runs[pattern](model, budget).then(
          () => 'well',
          () => 'badly',
        );
        expect(used().calls).toBeLessThanOrEqual(calls);
        expect(used().tokens).toBeLessThanOrEqual(tokens);
        expect(budget.spent.calls).toBe(used().calls);
        // What is stopped with others tells no usage any more.
        const booked = budget.spent.inputTokens + budget.spent.outputTokens;
        if (ended === 'well') expect(booked).toBe(used().tokens);
        else expect(booked).toBeLessThanOrEqual(used().tokens);
      },
    ),
    { numRuns: 1000 },
  );
});
