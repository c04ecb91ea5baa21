import { describe, expect, it } from 'vitest';
import { BudgetError } from '../../models/budget-error.ts';
import { collect } from '../../models/collect.ts';
import type { Model, Part, RespondOptions } from '../../models/model.ts';
import { ModelError } from '../../models/model-error.ts';
import { scripted } from '../../testing/scripted.ts';
import { Budget } from '../budget/budget.ts';
import { meterModel } from './meter.ts';

const ask = { messages: [{ role: 'user', content: 'p' }] } as const;

const model = (respond: (options: RespondOptions) => AsyncIterable<Part>): Model => ({
  name: 'm',
  respond: (_request, options = {}) => respond(options),
});

describe('a metered model', () => {
  it('counts every attempt when it is dispatched, before there is an answer', async () => {
    const seen: number[] = [];
    const meter = meterModel(
      model(async function* ({ onAttempt }) {
        for (const number of [1, 2, 3]) {
          onAttempt?.({ model: 'm', number });
          seen.push(meter.cost.calls);
        }
        yield { type: 'usage', usage: { inputTokens: 4, outputTokens: 5, requests: 3 } };
      }),
      undefined,
      {},
    );
    await collect(meter.model.respond(ask));
    expect(seen).toEqual([1, 2, 3]);
    expect(meter.cost).toEqual({ inputTokens: 4, outputTokens: 5, calls: 3 });
  });

  it('believes a model that announces nothing and reports requests', async () => {
    const usage = { inputTokens: 1, outputTokens: 1, requests: 2 };
    const budget = new Budget({ calls: 2 });
    const meter = meterModel(
      model(async function* () {
        yield { type: 'usage', usage };
      }),
      budget,
      {},
    );
    await collect(meter.model.respond(ask));
    expect(meter.cost.calls).toBe(2);
    expect(budget.spent.calls).toBe(2);
  });

  it('holds one that announces nothing to the calls of its budget, whatever it tells', async () => {
    for (const usage of [undefined, { inputTokens: 1, outputTokens: 1, requests: 1 }]) {
      let sent = 0;
      const plain = model(async function* () {
        sent += 1;
        await Promise.resolve();
        yield { type: 'text', text: 'x' };
        if (usage !== undefined) yield { type: 'usage', usage };
      });
      const budget = new Budget({ calls: 3 });
      const meter = meterModel(plain, budget, {});
      const asked = Array.from({ length: 9 }, () => collect(meter.model.respond(ask)));
      const ended = await Promise.allSettled(asked);
      expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(6);
      expect([sent, meter.cost.calls, budget.spent.calls]).toEqual([3, 3, 3]);
    }
  });

  it('counts the failed call of one that announces nothing', async () => {
    const budget = new Budget({ calls: 3 });
    const bug = new Error('net');
    const meter = meterModel(
      // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
      model(async function* () {
        throw bug;
      }),
      budget,
      {},
    );
    await expect(collect(meter.model.respond(ask))).rejects.toBe(bug);
    expect([meter.cost.calls, budget.spent.calls]).toEqual([1, 1]);
  });

  it('tells nobody of an attempt that the budget refuses, and counts none', async () => {
    const told: number[] = [];
    const budget = new Budget({ calls: 1 });
    const meter = meterModel(
      // biome-ignore lint/correctness/useYield: it is refused before there is anything to yield.
      model(async function* ({ onAttempt }) {
        onAttempt?.({ model: 'm', number: 1 });
        onAttempt?.({ model: 'm', number: 2 });
      }),
      budget,
      {},
    );
    const run = collect(meter.model.respond(ask, { onAttempt: ({ number }) => void told.push(number) }));
    await expect(run).rejects.toMatchObject({ kind: 'calls' });
    expect([told, meter.cost.calls, budget.spent.calls]).toEqual([[1], 1, 1]);
  });

  it.each([
    ['inputTokens', Number.NaN],
    ['outputTokens', -5],
  ])('refuses what no budget can count (%s: %s), and books the call alone', async (name, value) => {
    const budget = new Budget({ calls: 2 });
    const usage = { inputTokens: 1, outputTokens: 1, requests: 1, [name]: value };
    const meter = meterModel(
      model(async function* ({ onAttempt }) {
        onAttempt?.({ model: 'm', number: 1 });
        yield { type: 'usage', usage };
      }),
      budget,
      {},
    );
    await expect(collect(meter.model.respond(ask))).rejects.toMatchObject({ kind: 'decode' });
    expect(meter.cost).toEqual({ inputTokens: 0, outputTokens: 0, calls: 1 });
    expect(budget.spent.calls).toBe(1);
  });

  it('in a failure takes what no budget can count for nothing', async () => {
    const usage = { inputTokens: Number.NaN, outputTokens: -5, requests: Number.NaN };
    const meter = meterModel(
      // biome-ignore lint/correctness/useYield: it fails before there is anything to yield.
      model(async function* ({ onAttempt }) {
        onAttempt?.({ model: 'm', number: 1 });
        throw new ModelError('no', { kind: 'server', provider: 'm', usage });
      }),
      undefined,
      {},
    );
    await expect(collect(meter.model.respond(ask))).rejects.toMatchObject({ kind: 'server' });
    expect(meter.cost).toEqual({ inputTokens: 0, outputTokens: 0, calls: 1 });
  });

  it('books nothing for an attempt that somebody else forbids', async () => {
    const budget = new Budget({ calls: 5, tokens: 50_000 });
    const meter = meterModel(scripted(['x']), budget, {});
    const forbidden = new BudgetError('no', { kind: 'calls', limit: 0, actual: 0 });
    const onAttempt = (): never => {
      throw forbidden;
    };
    await expect(collect(meter.model.respond(ask, { onAttempt }))).rejects.toBe(forbidden);
    expect([meter.cost.calls, budget.spent.calls]).toEqual([0, 0]);
    expect(budget.reserve({ ...ask, maxTokens: 49_000 }).maxTokens).toBe(49_000);
  });

  it('ends the model when the reader stops early, and books all that was kept for it', async () => {
    let ended = false;
    const budget = new Budget({ outputTokens: 100 });
    const meter = meterModel(
      model(async function* ({ onAttempt }) {
        try {
          onAttempt?.({ model: 'm', number: 1 });
          yield { type: 'text', text: 'a' };
          yield { type: 'text', text: 'b' };
        } finally {
          ended = true;
        }
      }),
      budget,
      {},
    );
    for await (const _ of meter.model.respond({ ...ask, maxTokens: 60 })) break;
    expect(ended).toBe(true);
    expect(budget.reserve(ask).maxTokens).toBe(40);
    expect(meter.cost.outputTokens).toBe(0);
    expect(meter.cost.calls).toBe(1);
  });

  it('gives its place back when the model throws before it answers', async () => {
    const budget = new Budget({ outputTokens: 100 });
    const bug = new Error('bug');
    const broken: Model = {
      name: 'broken',
      respond() {
        throw bug;
      },
    };
    await expect(collect(meterModel(broken, budget, {}).model.respond(ask))).rejects.toBe(bug);
    expect(budget.reserve(ask).maxTokens).toBe(100);
  });

  it('hands abort reasons through at once and leaves a model that never answers', async () => {
    const controller = new AbortController();
    let told: AbortSignal | undefined;
    const meter = meterModel(
      model(async function* ({ signal }) {
        told = signal;
        controller.abort('over');
        await new Promise<never>(() => undefined);
        yield { type: 'text', text: 'never' };
      }),
      undefined,
      {},
    );
    const run = collect(meter.model.respond(ask, { signal: controller.signal }));
    await expect(run).rejects.toBe('over');
    expect(told?.reason).toBe('over');
  });
});
