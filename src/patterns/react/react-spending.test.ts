import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import type { Model } from '../../models/model.ts';
import { scripted } from '../../testing/scripted.ts';
import { Budget } from '../budget/budget.ts';
import { failureOf } from '../fixtures/pattern-failure.ts';
import { byRound, crashAt, noting, type ReactCheckpoint, round } from '../fixtures/react-runs.ts';
import { reactLoop } from '../react.ts';

describe('the budget of a loop that goes on', () => {
  const tools = [noting('write', [])];
  const rounds = [round(1, 'write'), round(2, 'write')];

  it('in another process has spent what was spent before', async () => {
    const model = byRound(rounds);
    const resume = await crashAt(0, model, { tools, budget: new Budget({ calls: 2 }) });
    const budget = new Budget({ calls: 2 });
    const error = await failureOf(reactLoop(model, 'go', { tools, budget, resume }));
    expect(error).toMatchObject({ kind: 'budget', cost: { calls: 2 } });
    expect(model.requests).toHaveLength(2);
    expect(budget.spent.calls).toBe(2);
  });

  it('does not count it twice when it is the same, or a child of one that is', async () => {
    const model = byRound(rounds);
    const whole = new Budget({ calls: 100 });
    const resume = await crashAt(0, model, { tools, budget: whole.child({ calls: 3 }) });
    const child = whole.child({ calls: 3 });
    await reactLoop(model, 'go', { tools, budget: child, resume });
    expect([whole.spent.calls, child.spent.calls]).toEqual([3, 3]);
    await reactLoop(model, 'go', { tools, budget: child, resume }).catch(() => undefined);
    expect(whole.spent.calls).toBe(3);
  });

  it('has used the money and the time of before, and none of the time in between', async () => {
    const clock = manualClock();
    const limits = { ms: 100, money: 0.001, rates: { input: 10, output: 10 } };
    const working = byRound(rounds);
    const slow = [noting('write', [], { work: () => clock.advance(40) as never })];
    const resume = await crashAt(2, working, { tools: slow, budget: new Budget(limits, clock) });
    expect(resume?.runs.map(({ ms }) => ms)).toEqual([40]);
    clock.advance(1_000_000);
    const budget = new Budget(limits, clock);
    await failureOf(reactLoop(working, 'go', { tools: slow, budget, resume, maxRounds: 1 }));
    expect(budget.elapsed).toBe(40);
    expect(budget.spent).toMatchObject({ inputTokens: 10, outputTokens: 2, calls: 1 });
  });
});

describe('the same budget, or one above it,', () => {
  const tools = [noting('write', [])];
  const rounds = [round(1, 'write'), round(2, 'write')];
  const silent = scripted([new Error('net')], { cycle: true });
  const broken: Model = {
    name: 'broken',
    respond: (request, { signal } = {}) => silent.respond(request, signal === undefined ? {} : { signal }),
  };
  /** One call was made until there; no budget has counted it. */
  const told = async (): Promise<ReactCheckpoint> => {
    const made = await crashAt(2, byRound(rounds), { tools });
    if (made === undefined) throw new Error('none was made');
    return made;
  };

  it('is not charged again when a checkpoint is gone on from again', async () => {
    const resume = await told();
    const [same, day] = [new Budget({ calls: 100 }), new Budget({ calls: 100 })];
    for (const tries of [1, 2, 3]) {
      await failureOf(reactLoop(broken, 'go', { tools, budget: same, resume }));
      await failureOf(reactLoop(broken, 'go', { tools, budget: day.child({ calls: 5 }), resume }));
      // One before, and one that failed in each.
      expect([same.spent.calls, day.spent.calls]).toEqual([1 + tries, 1 + tries]);
    }
  });

  it('is charged once by two that go on at once', async () => {
    const resume = await told();
    const budget = new Budget({ calls: 100 });
    const run = () => reactLoop(byRound([round(1, 'write')]), 'go', { tools, budget, resume });
    await Promise.all([run(), run()]);
    expect(budget.spent.calls).toBe(3);
  });

  it('is charged for what was done without it, and for nothing else', async () => {
    const budget = new Budget({ calls: 100 });
    const model = byRound(rounds);
    const first = await crashAt(2, model, { tools, budget });
    expect(budget.spent.calls).toBe(1);
    const second = await crashAt(2, model, { tools, resume: first });
    expect(second?.runs.map(({ cost }) => cost.calls)).toEqual([1, 1]);
    const { cost } = await reactLoop(model, 'go', { tools, budget, resume: second });
    expect([cost.calls, budget.spent.calls]).toEqual([3, 3]);
  });
});
