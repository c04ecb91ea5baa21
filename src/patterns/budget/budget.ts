/** Spending limits that are checked before a request leaves, so that concurrency cannot pass them. */

import { type Clock, systemClock } from '../../basics/clock.ts';
import { checkNumber } from '../../basics/option-checks.ts';
import { BudgetError } from '../../models/budget-error.ts';
import type { ModelRequest } from '../../models/model.ts';
import { addCost, type Cost, noCost } from '../contract/result.ts';
import { CountedRuns, type RunSpending } from './counted-runs.ts';
import { estimateInput } from './estimate.ts';

/** What may be spent in all; each is above 0, and what is left out is unlimited. */
export interface BudgetLimits {
  /** Dispatched requests, failed attempts included. */
  readonly calls?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** In the currency of `rates`, which it needs. */
  readonly money?: number | undefined;
  /** Prices of a million tokens, at least 0. */
  readonly rates?: { readonly input: number; readonly output: number } | undefined;
  /** Milliseconds from the making of the budget; requests in flight are cut when they are over. */
  readonly ms?: number | undefined;
}

/** The place that is kept for one request. */
export interface Reservation {
  /** Most tokens the request may generate; `undefined` when no limit depends on it. */
  readonly maxTokens: number | undefined;
  /** Books one dispatch before it happens, or nothing when `tell` throws. A BudgetError says that it is not allowed. */
  attempt(tell?: () => void): void;
  /**
   * Books the tokens that were used, and calls that no attempt announced, and gives the place free. Must be called,
   * once; later calls do nothing. A request that was `left` before it told its usage is booked with all that was kept
   * for it: how much it still generated is not known.
   */
  settle(used: Cost, left?: boolean): void;
}

/** What a request without a limit of its own may generate while a limit depends on it. */
const defaultOutput = 4096;

const oneCall: Cost = Object.freeze({ ...noCost, calls: 1 });

/**
 * A budget, shared by everyone it is given to. Calls are never passed. While tokens or money are limited, every request
 * is sent with `maxTokens` and keeps a place for that and for an estimate of its input until it is settled; tokens are
 * then passed by no more than the error of that estimate and what failed attempts turn out to have used. A request that
 * was left before it told its usage counts with all that was kept for it.
 * Throws a TypeError for limits that are not above 0, and for `money` without `rates`.
 */
export class Budget {
  readonly limits: BudgetLimits;
  /** Tells it from every other budget. */
  readonly id: string = crypto.randomUUID();
  readonly #clock: Clock;
  #start: number;
  readonly #parent: Budget | undefined;
  #spent: Cost = noCost;
  #kept: Cost = noCost;
  readonly #counted: CountedRuns = new CountedRuns();

  constructor(limits: BudgetLimits, clock: Clock = systemClock, parent?: Budget) {
    checkLimits(limits);
    this.limits = Object.freeze({ ...limits });
    this.#clock = clock;
    this.#start = clock.now();
    this.#parent = parent;
  }

  /** A budget within this one: what it spends counts here too, and either may forbid. */
  child(limits: BudgetLimits): Budget {
    return new Budget(limits, this.#clock, this);
  }

  /** Spent until now. A request in flight counts as a call at once, its tokens count when it ends. */
  get spent(): Cost {
    return this.#spent;
  }

  /** Milliseconds since it was made, and those that were counted in. */
  get elapsed(): number {
    return this.#clock.now() - this.#start;
  }

  /** Counts what runs spent before: the cost here and above, the time here, but what was counted already. */
  countIn(runs: readonly RunSpending[]): void {
    for (const budget of this.#line()) {
      for (const run of runs) {
        if (run.booked.includes(budget.id)) continue;
        const { cost, ms } = budget.#counted.countIn(run);
        budget.#spend(cost);
        if (budget === this) budget.#start -= ms;
      }
    }
  }

  /** The record of a run that spends from it and from those above. */
  record(id: string, cost: Cost, ms: number): RunSpending {
    const booked = Object.freeze([...this.#line()].map(budget => budget.id));
    return Object.freeze({ id, cost, ms, booked });
  }

  /** Keeps a place for one request. Throws a BudgetError when there is no room for it. */
  reserve(request: ModelRequest): Reservation {
    const line = [...this.#line()];
    const inputTokens = line.some(budget => budget.#limitsTokens()) ? estimateInput(request) : 0;
    for (const budget of line) budget.#checkDispatch();
    const wanted = request.maxTokens ?? defaultOutput;
    const rooms = line.map(budget => budget.#outputRoom(inputTokens));
    const limitsOutput = rooms.some(room => room < Number.POSITIVE_INFINITY);
    const tokens = {
      inputTokens,
      outputTokens: limitsOutput ? Math.min(wanted, ...rooms) : 0,
      calls: 0,
    };
    const keep = (cost: Cost): void => {
      for (const budget of line) budget.#kept = addCost(budget.#kept, cost);
    };
    const spend = (cost: Cost): void => {
      for (const budget of line) budget.#spend(cost);
    };
    keep(tokens);
    keep(oneCall);
    let hasCall = true;
    let settled = false;
    return {
      maxTokens: limitsOutput ? tokens.outputTokens : request.maxTokens,
      attempt(tell) {
        // Its own place is no obstacle to the first, and all are asked before any books: a refusal leaves no trace.
        for (const budget of line) budget.#checkDispatch(hasCall ? 1 : 0);
        spend(oneCall);
        try {
          tell?.();
        } catch (error) {
          spend(negative(oneCall));
          throw error;
        }
        if (hasCall) keep(negative(oneCall));
        hasCall = false;
      },
      settle(used, left = false) {
        if (settled) return;
        settled = true;
        keep(negative(tokens));
        if (hasCall) keep(negative(oneCall));
        spend(left ? addCost(used, tokens) : used);
      },
    };
  }

  /** Calls `cut` when the time is over, unless what it gives back was called before. */
  whenTimeIsOver(cut: (error: BudgetError) => void): () => void {
    const timers = [...this.#line()].flatMap(budget => {
      const { ms } = budget.limits;
      if (ms === undefined) return [];
      const left = ms - budget.elapsed;
      return [budget.#clock.after(left, () => cut(budget.#timeError(ms)), true)];
    });
    return () => {
      for (const timer of timers) timer.cancel();
    };
  }

  /** This budget and everything above it. */
  *#line(): Generator<Budget> {
    yield this;
    if (this.#parent !== undefined) yield* this.#parent.#line();
  }

  #spend(cost: Cost): void {
    this.#spent = addCost(this.#spent, cost);
  }

  #limitsTokens(): boolean {
    const { inputTokens, outputTokens, tokens, money } = this.limits;
    return [inputTokens, outputTokens, tokens, money].some(limit => limit !== undefined);
  }

  /** How many tokens a request with this input may generate: at least 1, or a BudgetError that says what forbids it. */
  #outputRoom(input: number): number {
    const { inputTokens, outputTokens, tokens, money, rates = { input: 0, output: 0 } } = this.limits;
    const used = addCost(this.#spent, this.#kept);
    let room = Number.POSITIVE_INFINITY;
    const narrow = (limit: string, max: number, already: number, left: number): void => {
      if (left < 1) throw exhausted(limit, max, already, input);
      room = Math.min(room, Math.floor(left));
    };
    if (inputTokens !== undefined && used.inputTokens + input > inputTokens) {
      throw exhausted('inputTokens', inputTokens, used.inputTokens, input);
    }
    if (outputTokens !== undefined) {
      narrow('outputTokens', outputTokens, used.outputTokens, outputTokens - used.outputTokens);
    }
    if (tokens !== undefined) {
      const already = used.inputTokens + used.outputTokens;
      narrow('tokens', tokens, already, tokens - already - input);
    }
    if (money !== undefined) {
      const already = (used.inputTokens * rates.input + used.outputTokens * rates.output) / 1e6;
      const left = money - already - (input * rates.input) / 1e6;
      const unbounded = left > 0 ? Number.POSITIVE_INFINITY : 0;
      narrow('money', money, already, rates.output === 0 ? unbounded : (left * 1e6) / rates.output);
    }
    return room;
  }

  /** `own` is how many of the calls that are kept are its own. */
  #checkDispatch(own = 0): void {
    this.#checkTime();
    const { calls } = this.limits;
    const used = this.#spent.calls + this.#kept.calls - own;
    if (calls !== undefined && used + 1 > calls) throw exhausted('calls', calls, used);
  }

  #checkTime(): void {
    const { ms } = this.limits;
    if (ms !== undefined && this.elapsed >= ms) throw this.#timeError(ms);
  }

  #timeError(ms: number): BudgetError {
    return exhausted('ms', ms, Math.round(this.elapsed));
  }
}

function negative(cost: Cost): Cost {
  return { inputTokens: -cost.inputTokens, outputTokens: -cost.outputTokens, calls: -cost.calls };
}

function checkLimits(limits: BudgetLimits): void {
  const { money, ms, rates } = limits;
  for (const field of ['calls', 'inputTokens', 'outputTokens', 'tokens'] as const) {
    checkNumber('Budget', field, limits[field], { integer: true, min: 1 });
  }
  checkNumber('Budget', 'money', money, { above: 0 });
  checkNumber('Budget', 'ms', ms, { above: 0 });
  if (money !== undefined && rates === undefined) {
    throw new TypeError('Budget: money needs rates, the prices of a million input and output tokens');
  }
  if (rates !== undefined) {
    for (const field of ['input', 'output'] as const) {
      checkNumber('Budget', `rates.${field}`, rates[field] ?? Number.NaN, { min: 0 });
    }
  }
}

function exhausted(kind: string, limit: number, used: number, needed = 1): BudgetError {
  const what = kind === 'ms' ? 'milliseconds' : kind;
  return new BudgetError(
    `the budget does not allow another model request: ${used} of ${limit} ${what} are used or kept for requests in flight` +
      (needed > 1 ? `, and this one needs about ${needed} tokens of input` : ''),
    {
      kind,
      limit,
      actual: used,
      hint: `Raise the budget's ${kind}, or ask for less.`,
    },
  );
}
