/** The way back into a paused run: the state and the decisions judged before anything runs. */
import { TenonError } from '../../basics/failure.ts';
import type { Delegation } from '../calls/delegation.ts';
import type { Prompt } from '../run-options.ts';
import { checkDecisions, type Decisions } from './decisions.ts';
import { type PausedState, pendingCalls, readPausedState } from './paused-state.ts';

/** What a run begins with, or goes on from. */
export type Opening =
  | { readonly prompt: Prompt }
  | { readonly state: PausedState | string; readonly decisions: Decisions };

/** Throws a TenonError or a TypeError that says what is wrong with the state or the decisions. */
export function openPaused(
  { state: given, decisions }: Extract<Opening, { readonly state: unknown }>,
  agent: string | undefined,
): NonNullable<Delegation['resumed']> {
  const state = readPausedState(given);
  if (state.agent !== (agent ?? null)) {
    throw new TenonError(
      `resume: the state is that of ${whose(state.agent)}, and this is ${whose(agent ?? null)}`,
      { hint: 'Resume with an agent of the same name, tools and instructions.' },
    );
  }
  const waiting = pendingCalls(state).map(call => call.id);
  checkDecisions(decisions, waiting);
  return { state, decisions };
}

function whose(name: string | null): string {
  return name === null ? 'an agent without a name' : `the agent ${JSON.stringify(name)}`;
}
