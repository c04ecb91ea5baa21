/** How an agent that is a tool says that it waits for approval: the call is not over, its run is carried along. */
import { isFailure, TenonError } from '../../basics/failure.ts';
import type { PausedState } from './paused-state.ts';

/** Means what its message says wherever the run that made the call cannot be paused. */
export class NestedPause extends TenonError {
  readonly #state: PausedState;

  constructor(tool: string, state: PausedState) {
    super(
      `the agent behind tool "${tool}" waits for approval of a call, and whoever called it cannot be paused`,
      { hint: 'Give the calling agent pause: true too, or the agent behind the tool a function approve.' },
      ['NestedPause'],
    );
    this.#state = state;
  }

  /** No part of what is printed of an error: it holds the transcript. */
  get state(): PausedState {
    return this.#state;
  }
}

export function isNestedPause(value: unknown): value is NestedPause {
  return isFailure(value, 'NestedPause');
}
