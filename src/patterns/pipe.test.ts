import { describe, expect, expectTypeOf, it } from 'vitest';
import { ModelError } from '../models/model-error.ts';
import { scripted } from '../testing/scripted.ts';
import { Budget } from './budget/budget.ts';
import { consensus } from './consensus.ts';
import type { TraceEvent } from './contract/trace.ts';
import { failureOf } from './fixtures/pattern-failure.ts';
import { pipe } from './pipe.ts';
import { structured } from './structured.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;

describe('pipe', () => {
  it('gives each step what the one before gave, typed, with the cost of each', async () => {
    const model = scripted(['7', '7', '7', '{"n":7}']);
    const steps = pipe(model)
      .step('ask', (text, use) => consensus(use.model, text, { ...use, samples: 3 }))
      .step('read', (text, use) => structured(use.model, text, { ...use, schema }))
      .step('double', ({ n }) => n * 2);
    const result = await steps.run('How many?');
    expectTypeOf(result.value).toEqualTypeOf<number>();
    expect(result).toMatchObject({
      value: 14,
      cost: { calls: 4 },
      evidence: {
        steps: [
          { name: 'ask', score: 1, cost: { calls: 3 } },
          { name: 'read', cost: { calls: 1 } },
          { name: 'double', cost: { calls: 0 } },
        ],
      },
    });
  });

  it('gives what it was given when it has no steps', async () => {
    const model = scripted([]);
    expect(await pipe(model).run('as it is')).toMatchObject({ value: 'as it is', cost: { calls: 0 } });
  });

  it('can be run again, and shared by longer ones', async () => {
    const base = pipe<number>(scripted([])).step('one more', n => n + 1);
    const longer = base.step('as text', String);
    expect((await base.run(1)).value).toBe(2);
    expect((await longer.run(2)).value).toBe('3');
    expect((await base.run(3)).value).toBe(4);
  });

  it('keeps all steps within one budget', async () => {
    const model = scripted(['a', 'b', 'c', 'd']);
    const ask = pipe(model).step('one', (text, use) => consensus(use.model, text, { ...use, samples: 2 }));
    const steps = ask.step('two', (text, use) => consensus(use.model, text, { ...use, samples: 2 }));
    const budget = new Budget({ calls: 3 });
    const error = await failureOf(steps.run('p', { budget }));
    expect(error).toMatchObject({
      kind: 'budget',
      cost: { calls: 3 },
      evidence: {
        steps: [
          { name: 'one', cost: { calls: 2 } },
          { name: 'two', cost: { calls: 1 } },
        ],
      },
    });
    expect(error.message).toContain('pipe: step 2, "two": ');
  });

  it('fails with the kind of the pattern that failed, and as step-failed for anything else', async () => {
    const down = new ModelError('down', { kind: 'server', provider: 'p' });
    const failing = pipe(scripted([down])).step('ask', (text, use) =>
      consensus(use.model, text, { ...use, samples: 1 }),
    );
    expect(await failureOf(failing.run('p'))).toMatchObject({ kind: 'samples-failed', cost: { calls: 1 } });
    const boom = new Error('boom');
    const throwing = pipe(scripted([])).step('throw', () => {
      throw boom;
    });
    expect(await failureOf(throwing.run('p'))).toMatchObject({ kind: 'step-failed', cause: boom });
  });

  it('runs no later step once the caller aborts, also when a step forgets the signal', async () => {
    const controller = new AbortController();
    const model = scripted(['a', 'b']);
    const steps = pipe(model)
      .step('one', () => {
        controller.abort(new Error('enough'));
        return 'x';
      })
      .step('two', (text, use) => consensus(use.model, text));
    const error = await failureOf(steps.run('p', { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', message: 'pipe: aborted by the caller: enough' });
    expect(model.requests).toEqual([]);
  });

  it('tells each model call once', async () => {
    const events: TraceEvent[] = [];
    const steps = pipe(scripted(['a', 'a'])).step('ask', (text, use) =>
      consensus(use.model, text, { ...use, samples: 2 }),
    );
    await steps.run('p', { onTrace: event => events.push(event) });
    expect(events.map(({ type }) => type).sort()).toEqual(['llm-end', 'llm-end', 'llm-start', 'llm-start']);
  });

  it('refuses a step that is no function, and a model that is none', () => {
    expect(() => pipe(scripted([])).step('x', 7 as never)).toThrow(TypeError);
    expect(() => pipe({} as never)).toThrow(TypeError);
  });
});
