/** Where served runs wait for approval: sealed into the state of the call while they are small, else in a store. */
import type { PausedState } from '../../agent/approval/paused-state.ts';
import { isObject, parseJson, printJson } from '../../basics/json.ts';
import { memoryStore, type StateStore } from '../../basics/state-store.ts';
import { noCost } from '../../patterns/contract/result.ts';
import { ToolError } from '../../tools/tool-error.ts';

export interface PausedRunsOptions {
  /**
   * Keeps runs that are too large to travel, and which of them went on; in this process, 1,000 runs, unless set. Servers
   * of several processes need one that they share.
   */
  readonly store?: StateStore | undefined;
  /** Milliseconds that a run waits; 15 minutes unless set. */
  readonly ttl?: number | undefined;
  /** A run of as many bytes, as JSON, is kept and does not travel with the call; 32,768 unless set. */
  readonly mostSealed?: number | undefined;
}

/** A paused run as a call remembers it: itself, or that it is kept here. */
export interface WaitingRun {
  readonly id: string;
  readonly state?: PausedState;
}

export class PausedRuns {
  readonly #runs: StateStore;
  readonly #used: StateStore;
  readonly #ttl: number;
  readonly #mostSealed: number;

  constructor({ store, ttl = 15 * 60_000, mostSealed = 32 * 1024 }: PausedRunsOptions = {}) {
    this.#runs = store ?? memoryStore();
    // Of its own, so that marks do not push out runs that wait.
    this.#used = store ?? memoryStore({ entries: 10_000 });
    this.#ttl = ttl;
    this.#mostSealed = mostSealed;
  }

  async keep(state: PausedState): Promise<WaitingRun> {
    const id = crypto.randomUUID();
    const text = printJson(state);
    if (bytesOf(text) < this.#mostSealed) return { id, state };
    await this.#runs.set(runKey(id), text, this.#ttl);
    return { id };
  }

  /**
   * The run, to go on with: once, since what follows runs tools. Throws a ToolError when it went on before, or is not
   * here any more.
   */
  async take(waiting: unknown): Promise<PausedState> {
    const { id, state } = isObject(waiting) ? waiting : {};
    if (typeof id !== 'string') throw lost('what was remembered of it cannot be read');
    if (!(await this.#used.add(`tenon.resumed/${id}`, '1', this.#ttl))) {
      throw lost('it went on before with this answer, and what came of that is not known here');
    }
    if (state !== undefined) return state as PausedState;
    const text = await this.#runs.get(runKey(id));
    await this.#runs.delete(runKey(id));
    const parsed = text === undefined ? undefined : parseJson(text);
    if (parsed?.ok !== true) throw lost('it waited too long, or this server was started anew');
    return parsed.value as PausedState;
  }
}

const utf8 = new TextEncoder();

function bytesOf(text: string): number {
  return utf8.encode(text).length;
}

const runKey = (id: string): string => `tenon.paused/${id}`;

function lost(why: string): ToolError {
  return new ToolError(
    `the run that waited for approval cannot go on: ${why}. Make the call again from its beginning.`,
    {
      data: { kind: 'paused-run-lost', retryable: false, cost: noCost },
    },
  );
}
