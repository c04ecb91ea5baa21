import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import { type BudgetError, isBudgetError } from '../../models/budget-error.ts';
import type { ModelRequest } from '../../models/model.ts';
import { noCost } from '../contract/result.ts';
import { Budget } from './budget.ts';
import { estimateInput } from './estimate.ts';

const ask = (content = 'hi', extra: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content }],
  ...extra,
});

const refusal = (run: () => unknown): BudgetError => {
  try {
    run();
  } catch (error) {
    if (isBudgetError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a budget of calls', () => {
  it('books every attempt before it is dispatched and refuses the one too many', () => {
    const budget = new Budget({ calls: 2 });
    const [first, second] = [budget.reserve(ask()), budget.reserve(ask())];
    first.attempt();
    second.attempt();
    const error = refusal(() => first.attempt());
    expect(error).toMatchObject({ kind: 'calls', limit: 2, actual: 2 });
    expect(error.message).toContain('2 of 2 calls');
    expect(budget.spent.calls).toBe(2);
  });
  it('keeps a call for each request until it is dispatched or settled', () => {
    const budget = new Budget({ calls: 2 });
    const [first, second] = [budget.reserve(ask()), budget.reserve(ask())];
    expect(refusal(() => budget.reserve(ask()))).toMatchObject({ kind: 'calls', actual: 2 });
    expect(budget.spent.calls).toBe(0);
    first.settle(noCost);
    const third = budget.reserve(ask());
    second.attempt();
    third.attempt();
    expect(budget.spent.calls).toBe(2);
  });
  it('books nothing for an attempt that whoever is told of it forbids', () => {
    const budget = new Budget({ calls: 1 });
    const place = budget.reserve(ask());
    const forbid = (): never => {
      throw new Error('no');
    };
    expect(() => place.attempt(forbid)).toThrow('no');
    expect(budget.spent.calls).toBe(0);
    place.attempt();
    expect(refusal(() => place.attempt(forbid)).kind).toBe('calls');
  });
  it('leaves requests as they are', () => {
    const budget = new Budget({ calls: 2 });
    expect(budget.reserve(ask()).maxTokens).toBeUndefined();
    expect(budget.reserve(ask('hi', { maxTokens: 7 })).maxTokens).toBe(7);
  });
});

it('a budget books calls that were made without being announced', () => {
  const budget = new Budget({ calls: 2 });
  budget.reserve(ask()).settle({ inputTokens: 0, outputTokens: 0, calls: 2 });
  expect(refusal(() => budget.reserve(ask()).attempt()).actual).toBe(2);
});

describe('a budget of tokens', () => {
  it('sends a limit with each request and keeps a place for it until it is settled', () => {
    const input = estimateInput(ask());
    const budget = new Budget({ tokens: 1000 });
    const first = budget.reserve(ask('hi', { maxTokens: 600 }));
    const second = budget.reserve(ask('hi', { maxTokens: 600 }));
    expect(first.maxTokens).toBe(600);
    expect(second.maxTokens).toBe(400 - 2 * input);
    expect(refusal(() => budget.reserve(ask())).kind).toBe('tokens');
    first.settle({ inputTokens: 5, outputTokens: 10, calls: 0 });
    expect(budget.reserve(ask('hi', { maxTokens: 100 })).maxTokens).toBe(100);
    expect(budget.spent).toEqual({ inputTokens: 5, outputTokens: 10, calls: 0 });
  });
  it('limits a request that sets no limit itself', () => {
    expect(new Budget({ outputTokens: 1_000_000 }).reserve(ask()).maxTokens).toBe(4096);
    expect(new Budget({ outputTokens: 50 }).reserve(ask()).maxTokens).toBe(50);
  });
  it('of input alone refuses what is too long and sends no limit', () => {
    const budget = new Budget({ inputTokens: 50 });
    expect(budget.reserve(ask()).maxTokens).toBeUndefined();
    const error = refusal(() => budget.reserve(ask('long '.repeat(100))));
    expect(error.kind).toBe('inputTokens');
    expect(error.message).toMatch(/needs about \d+ tokens of input/);
  });
  it('refuses when the limit is reached', () => {
    const budget = new Budget({ outputTokens: 10 });
    budget.reserve(ask()).settle({ inputTokens: 0, outputTokens: 10, calls: 0 });
    expect(refusal(() => budget.reserve(ask()))).toMatchObject({ kind: 'outputTokens', actual: 10 });
  });
  it('books a settled request once', () => {
    const budget = new Budget({ tokens: 100 });
    const place = budget.reserve(ask());
    place.settle({ inputTokens: 3, outputTokens: 4, calls: 0 });
    place.settle({ inputTokens: 3, outputTokens: 4, calls: 0 });
    expect(budget.spent).toEqual({ inputTokens: 3, outputTokens: 4, calls: 0 });
    expect(budget.reserve(ask('', { maxTokens: 80 })).maxTokens).toBe(80);
  });
});

describe('a budget of money', () => {
  it('turns what is left into tokens', () => {
    const budget = new Budget({ money: 1, rates: { input: 0, output: 1000 } });
    expect(budget.reserve(ask('hi', { maxTokens: 5000 })).maxTokens).toBe(1000);
    expect(refusal(() => budget.reserve(ask())).kind).toBe('money');
  });
  it('with free output still ends when the money is gone', () => {
    const budget = new Budget({ money: 1, rates: { input: 1000, output: 0 } });
    const place = budget.reserve(ask());
    expect(place.maxTokens).toBeUndefined();
    place.settle({ inputTokens: 1000, outputTokens: 500, calls: 0 });
    expect(refusal(() => budget.reserve(ask())).kind).toBe('money');
  });
});

describe('a budget of time', () => {
  it('refuses requests and attempts when it is over', () => {
    const clock = manualClock();
    const budget = new Budget({ ms: 100 }, clock);
    clock.advance(99);
    const place = budget.reserve(ask());
    place.attempt();
    clock.advance(1);
    expect(refusal(() => place.attempt()).kind).toBe('ms');
    expect(refusal(() => budget.reserve(ask())).message).toContain('100 of 100 milliseconds');
  });
  it('tells who waits, once, and leaves no timer behind', () => {
    const clock = manualClock();
    const budget = new Budget({ ms: 100 }, clock);
    const cuts: string[] = [];
    budget.whenTimeIsOver(error => cuts.push(error.kind));
    const stop = budget.whenTimeIsOver(() => cuts.push('stopped'));
    stop();
    clock.advance(200);
    expect(cuts).toEqual(['ms']);
    expect(clock.pending).toBe(0);
  });
});

describe('a budget within a budget', () => {
  it('spends from both and is held by the smaller', () => {
    const outer = new Budget({ calls: 3 });
    const [a, b] = [outer.child({ calls: 2 }), outer.child({ calls: 2 })];
    const [placeA, placeB] = [a.reserve(ask()), b.reserve(ask())];
    placeA.attempt();
    placeA.attempt();
    expect(refusal(() => placeA.attempt()).limit).toBe(2);
    placeB.attempt();
    expect(refusal(() => placeB.attempt()).limit).toBe(3);
    expect([outer.spent.calls, a.spent.calls, b.spent.calls]).toEqual([3, 2, 1]);
  });
  it('keeps places in both', () => {
    const outer = new Budget({ outputTokens: 100 });
    outer.child({ calls: 9 }).reserve(ask('hi', { maxTokens: 60 }));
    expect(outer.child({ outputTokens: 90 }).reserve(ask()).maxTokens).toBe(40);
  });
  it('keeps no place above when it is refused below', () => {
    const outer = new Budget({ outputTokens: 100 });
    const inner = outer.child({ inputTokens: 1 });
    expect(refusal(() => inner.reserve(ask())).kind).toBe('inputTokens');
    expect(outer.reserve(ask()).maxTokens).toBe(100);
  });
});

describe('what was spent before', () => {
  const cost = { inputTokens: 100, outputTokens: 20, calls: 2 };
  it('is counted by the budgets that have not counted it, the time by the one that it is given to', () => {
    const clock = manualClock();
    const outer = new Budget({ calls: 9, ms: 100 }, clock);
    const inner = outer.child({ calls: 3, ms: 100 });
    clock.advance(10);
    inner.countIn([{ id: 'a', cost, ms: 30, booked: [outer.id] }]);
    expect([outer.spent.calls, inner.spent.calls]).toEqual([0, 2]);
    expect([outer.elapsed, inner.elapsed]).toEqual([10, 40]);
    const next = new Budget({ calls: 3 }, clock);
    next.countIn([inner.record('b', cost, 30)]);
    expect(next.spent).toEqual(cost);
    inner.countIn([inner.record('b', cost, 30)]);
    expect([inner.spent.calls, inner.elapsed]).toEqual([2, 40]);
    expect(JSON.parse(JSON.stringify(inner.record('b', cost, 30)))).toEqual({
      ...{ id: 'b', cost, ms: 30 },
      booked: [inner.id, outer.id],
    });
  });
  it('is counted once, however often it is told and by whichever child; of more only the rest', () => {
    const clock = manualClock();
    const day = new Budget({ calls: 9, ms: 1000 }, clock);
    const run = { id: 'a', cost, ms: 30, booked: [] };
    for (const budget of [day.child({ calls: 9 }), day.child({ calls: 9 }), day, day]) budget.countIn([run]);
    expect(day.spent).toEqual(cost);
    day.countIn([{ ...run, cost: { ...cost, calls: 3 }, ms: 50 }, run]);
    expect(day.spent).toEqual({ ...cost, calls: 3 });
    day.countIn([{ ...run, id: 'b' }]);
    expect(day.spent).toEqual({ inputTokens: 200, outputTokens: 40, calls: 5 });
  });
  it('is forgotten after 10,000 other runs, so that what is remembered has an end', () => {
    const budget = new Budget({ calls: 9 });
    const run = { id: 'a', cost, ms: 0, booked: [] };
    const others = Array.from({ length: 10_000 }, (_, at) => ({ ...run, id: `${at}`, cost: noCost }));
    budget.countIn([run, ...others.slice(1), run]);
    expect(budget.spent.calls).toBe(2);
    budget.countIn([...others, run]);
    expect(budget.spent.calls).toBe(4);
  });
  it('counts with all that was kept for it when a request was left', () => {
    const budget = new Budget({ tokens: 1000 });
    const place = budget.reserve(ask('hi', { maxTokens: 600 }));
    place.settle({ inputTokens: 0, outputTokens: 0, calls: 0 }, true);
    expect(budget.spent.outputTokens).toBe(600);
    const counting = new Budget({ calls: 5 });
    counting.reserve(ask()).settle({ inputTokens: 0, outputTokens: 0, calls: 0 }, true);
    expect(counting.spent).toEqual({ inputTokens: 0, outputTokens: 0, calls: 0 });
  });
});

describe('a budget refuses limits that make no sense', () => {
  it.each([
    [{ calls: 0 }, 'calls must be an integer of at least 1, got 0'],
    [{ tokens: 1.5 }, 'tokens must be an integer of at least 1, got 1.5'],
    [{ outputTokens: Number.NaN }, 'outputTokens must be an integer of at least 1, got NaN'],
    [{ ms: 0 }, 'ms must be a number above 0, got 0'],
    [{ money: 1 }, 'money needs rates'],
    [{ money: -1, rates: { input: 1, output: 1 } }, 'money must be a number above 0, got -1'],
    [{ money: 1, rates: { input: -1, output: 1 } }, 'rates.input must be a number of at least 0, got -1'],
  ])('%j', (limits, reason) => expect(() => new Budget(limits)).toThrow(reason));
});

describe('the estimate of input', () => {
  it('grows with text, tools and calls, and counts media by the piece', () => {
    const plain = estimateInput(ask('a'.repeat(300)));
    expect(plain).toBe(104);
    expect(estimateInput(ask('語'.repeat(300)))).toBe(304);
    const image = { type: 'image', data: 'A'.repeat(1_000_000), mimeType: 'image/png' } as const;
    expect(estimateInput({ messages: [{ role: 'user', content: [image] }] })).toBe(1004);
    const tool = { name: 'look', description: 'Looks', parameters: { type: 'object' } };
    expect(estimateInput(ask('a'.repeat(300), { tools: [tool] }))).toBeGreaterThan(plain);
    const call = { id: '1', name: 'look', arguments: '{}' };
    expect(estimateInput({ messages: [{ role: 'assistant', content: '', toolCalls: [call] }] })).toBe(10);
  });
});
