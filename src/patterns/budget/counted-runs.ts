/** What a budget remembers of the runs that it was told of, so that what they spent is counted once however often it is told. */
import { addCost, type Cost, noCost } from '../contract/result.ts';

/** What one run has spent until a checkpoint, as JSON: for the budget of who goes on from there, here or elsewhere. */
export interface RunSpending {
  /** Tells the run from every other; one that goes on from a checkpoint is another. */
  readonly id: string;
  readonly cost: Cost;
  /** Milliseconds that it took, by the clock of its budget; 0 without one. */
  readonly ms: number;
  /** The ids of the budgets that counted it as it went. */
  readonly booked: readonly string[];
}

type Amount = Pick<RunSpending, 'cost' | 'ms'>;

/** A run that is forgotten is counted once more when it is told again: a budget is rather charged too much. */
const mostRuns = 10_000;

const none: Amount = Object.freeze({ cost: noCost, ms: 0 });

export class CountedRuns {
  readonly #runs = new Map<string, Amount>();

  /** Takes note of it, and gives what of it was not counted before. */
  countIn({ id, cost, ms }: RunSpending): Amount {
    const before = this.#runs.get(id) ?? none;
    const fresh = { cost: above(cost, before.cost), ms: Math.max(0, ms - before.ms) };
    // Set anew, it is the newest.
    this.#runs.delete(id);
    this.#runs.set(id, { cost: addCost(before.cost, fresh.cost), ms: before.ms + fresh.ms });
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > mostRuns && oldest !== undefined) this.#runs.delete(oldest);
    return fresh;
  }
}

/** Of all of them. */
export function costOfRuns(runs: readonly RunSpending[]): Cost {
  return runs.reduce((sum, { cost }) => addCost(sum, cost), noCost);
}

/** What of `cost` comes on top of `before`. */
export function above(cost: Cost, before: Cost): Cost {
  return {
    inputTokens: Math.max(0, cost.inputTokens - before.inputTokens),
    outputTokens: Math.max(0, cost.outputTokens - before.outputTokens),
    calls: Math.max(0, cost.calls - before.calls),
  };
}
