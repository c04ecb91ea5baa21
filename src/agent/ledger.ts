/** What a run has used, held against its limits and against those of the runs that it was started by. */
import { addUsage, noUsage, type Usage } from '../models/model.ts';
import { type Limits, passedLimit, UsageLimitError } from './limits.ts';

/** One per run. What a delegated run uses counts in the ledgers of all runs above it too, while it runs. */
export class Ledger {
  readonly #limits: Partial<Limits>;
  readonly #above: Ledger | undefined;
  #usage: Usage = noUsage;
  #calls = 0;
  /** Requests that were sent and not settled yet. */
  #open = 0;
  #refused: UsageLimitError | undefined;

  constructor(limits: Partial<Limits> = {}, above?: Ledger) {
    this.#limits = limits;
    this.#above = above;
  }

  get usage(): Usage {
    return this.#usage;
  }

  get toolCalls(): number {
    return this.#calls;
  }

  /** The limit of this very run that something was refused for, also when a delegated run asked. */
  get refused(): UsageLimitError | undefined {
    return this.#refused;
  }

  /** What was used before the run was paused; the runs above have counted it already. */
  restore(usage: Usage, calls: number): void {
    this.#usage = usage;
    this.#calls = calls;
  }

  /** Counts a request that is about to be sent. Throws a UsageLimitError when it is one too many anywhere. */
  dispatch(): void {
    for (const each of this.#chain()) {
      const limit = each.#limits.requests;
      const actual = each.#usage.requests + each.#open + 1;
      if (limit !== undefined && actual > limit) {
        throw each.#refuse(new UsageLimitError({ kind: 'requests', limit, actual }));
      }
    }
    for (const each of this.#chain()) each.#open += 1;
  }

  /** Counts what so many dispatched requests used. */
  settle(usage: Usage, dispatched: number): void {
    for (const each of this.#chain()) {
      each.#open -= dispatched;
      each.#usage = addUsage(each.#usage, usage);
    }
  }

  addCalls(calls: number): void {
    for (const each of this.#chain()) each.#calls += calls;
  }

  /** The first limit that is passed, here or above, when so many calls are added. */
  passed(moreCalls: number): UsageLimitError | undefined {
    for (const each of this.#chain()) {
      const passed = passedLimit(each.#limits, each.#usage, each.#calls + moreCalls);
      if (passed !== undefined) return each.#refuse(passed);
    }
    return undefined;
  }

  #refuse(error: UsageLimitError): UsageLimitError {
    this.#refused ??= error;
    return error;
  }

  *#chain(): Iterable<Ledger> {
    for (let at: Ledger | undefined = this; at !== undefined; at = at.#above) yield at;
  }
}
