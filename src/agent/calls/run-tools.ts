/** The tool calls of one turn: prepared, and run side by side where they may. How results are kept is in `tool-batch.ts`. */
import { raceAbort } from '../../basics/abort.ts';
import type { ToolCall } from '../../models/model.ts';
import { type PreparedCall, prepareCall } from './prepare-call.ts';
import { ToolBatch, type ToolPlan, type TurnFacts, type TurnResult } from './tool-batch.ts';

/** How many of the calls count as tool calls: of known tools, and not too many for the turn. */
export function countKnown<Deps>(calls: readonly ToolCall[], plan: ToolPlan<Deps>): number {
  return calls.slice(0, plan.maxCallsPerTurn).filter(call => plan.registry.tools.has(call.name)).length;
}

/**
 * Runs the calls. After a failure that ends the run nothing more is started; what runs already is waited for, so that
 * its result is kept. Never rejects: an abort shows in the signal, and in calls without a message.
 */
export async function runTools<Deps>(plan: ToolPlan<Deps>, facts: TurnFacts<Deps>): Promise<TurnResult> {
  const { calls, signal } = facts;
  const batch = new ToolBatch(plan, facts);
  try {
    const prepared = await raceAbort(
      Promise.all(calls.map(call => prepareCall(call, plan.registry, plan.tidyArguments))),
      signal,
    );
    for (const group of groupCalls(prepared)) await batch.run(prepared, group);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    return batch.result();
  }
  batch.fillUp();
  return batch.result();
}

type Group = readonly [start: number, end: number];

/** Runs of calls that may be side by side; a sequential tool is alone. */
function groupCalls<Deps>(prepared: readonly PreparedCall<Deps>[]): readonly Group[] {
  const groups: [start: number, end: number][] = [];
  let open = false;
  for (const [index, { tool }] of prepared.entries()) {
    const alone = tool?.sequential === true;
    const last = groups.at(-1);
    if (open && !alone && last !== undefined) last[1] = index + 1;
    else groups.push([index, index + 1]);
    open = !alone;
  }
  return groups;
}
