/** How far a pattern is, as JSON that can be kept and given back to go on from. */
import type { Cost } from './result.ts';

export interface Checkpoint<State> {
  readonly version: 1;
  /** Which pattern can go on from it. */
  readonly pattern: string;
  /** What was spent until then; it is counted on. */
  readonly cost: Cost;
  readonly state: State;
}

/** Throws a TypeError unless there is nothing, or a checkpoint of this pattern that its state shows to be whole. */
export function checkResume(where: string, checkpoint: unknown, isState: (state: unknown) => boolean): void {
  if (checkpoint === undefined) return;
  const { version, pattern, cost, state } = (checkpoint ?? {}) as Readonly<Record<string, unknown>>;
  if (pattern !== where) {
    throw new TypeError(
      `${where}: resume must be a checkpoint of ${where}, got ${typeof pattern === 'string' ? `one of ${JSON.stringify(pattern)}` : 'something else'}`,
    );
  }
  if (version !== 1)
    throw new TypeError(`${where}: resume has version ${String(version)}; this one reads version 1`);
  if (!isCost(cost) || !isState(state)) {
    throw new TypeError(`${where}: resume is damaged; give what onCheckpoint was given, whole`);
  }
}

function isCost(cost: unknown): cost is Cost {
  const { inputTokens, outputTokens, calls } = (cost ?? {}) as Partial<Record<keyof Cost, unknown>>;
  return [inputTokens, outputTokens, calls].every(
    count => typeof count === 'number' && Number.isFinite(count) && count >= 0,
  );
}
