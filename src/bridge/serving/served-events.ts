/** What goes on in the calls of served patterns and agents, for whoever runs the server; callers never see it. */
import type { RunEvent } from '../../agent/events.ts';
import type { BudgetLimits } from '../../patterns/budget/budget.ts';
import type { Cost } from '../../patterns/contract/result.ts';
import type { TraceEvent } from '../../patterns/contract/trace.ts';
import type { ToolContext } from '../../tools/context.ts';

export type ServedEvent =
  /** Of an agent, and of `react_loop` where the caller may be asked. */
  | RunEvent
  /** Of a pattern; nothing in it is masked. */
  | TraceEvent
  | SpendingEvent
  /** Why a pattern failed, in full; the caller reads less. */
  | { readonly type: 'failure'; readonly error: unknown };

/** What the call may spend, told before its first model request. */
export interface SpendingEvent {
  readonly type: 'budget';
  readonly call?: BudgetLimits;
  /** All calls together, and what they have spent until now. */
  readonly process?: { readonly limits: BudgetLimits; readonly spent: Cost };
}

/** `ctx` is that of the call. What it throws or rejects with is dropped: watching never changes the work. */
export type ServedObserver = (event: ServedEvent, ctx: ToolContext) => unknown;
