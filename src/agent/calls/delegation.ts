/** What ties a run to the tool call that started it: limits, events, depth, and where it goes on after a pause. */
import type { RespondOptions } from '../../models/model.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Decisions } from '../approval/decisions.ts';
import type { PausedState } from '../approval/paused-state.ts';
import type { RunObserver } from '../events.ts';
import type { Ledger } from '../ledger.ts';

/** What a run is to the runs that its tools start. */
export interface RunLink {
  readonly ledger: Ledger;
  /** How many runs are above it. */
  readonly depth: number;
  readonly onAttempt: RespondOptions['onAttempt'];
}

export interface Delegation extends RunLink {
  /** Tells the events of the run below. */
  readonly tell: RunObserver | undefined;
  /** The run that this call had started when it was paused, and what was decided about its calls. */
  readonly resumed?: { readonly state: PausedState; readonly decisions: Decisions } | undefined;
}

const delegations = new WeakMap<object, Delegation>();

/** Lets tools that run agents find the run which called them. */
export function delegate(context: ToolContext, delegation: Delegation): void {
  delegations.set(context, delegation);
}

/** Of the run that called; none on a server. */
export function delegationOf(context: ToolContext): Delegation | undefined {
  return delegations.get(context);
}

/** For whoever hands a tool another context than it was given itself. */
export function passOn<Context extends ToolContext>(from: ToolContext, to: Context): Context {
  const delegation = delegations.get(from);
  if (delegation !== undefined) delegations.set(to, delegation);
  return to;
}
