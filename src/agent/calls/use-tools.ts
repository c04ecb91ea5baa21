/** One turn's tool calls: within the limits, run, and their results put into the transcript. */
import { messageOf } from '../../basics/failure.ts';
import type { ModelMessage, RespondOptions, ToolCall } from '../../models/model.ts';
import { approvedArguments } from '../approval/approve-call.ts';
import { type Decisions, readDecision } from '../approval/decisions.ts';
import type { SavedCall } from '../approval/paused-state.ts';
import { checkUsage } from '../ask-model.ts';
import type { RunError } from '../errors.ts';
import { decisionOn, type ResumedTurn } from '../history/saved-calls.ts';
import type { RunInput, RunPlan } from '../run-plan.ts';
import type { RunState } from '../run-state.ts';
import { countKnown, runTools } from './run-tools.ts';
import type { TurnFacts, TurnResult } from './tool-batch.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** The calls of a response, and the tools that were offered with its request. */
export interface CalledTools<Deps> {
  readonly calls: readonly ToolCall[];
  readonly turn: number;
  readonly registry: ToolRegistry<Deps>;
  /** Where the turn stopped, and what was decided since. */
  readonly resumed?: ResumedTurn | undefined;
  /** See `TurnFacts`. */
  readonly onProgress?: TurnFacts<Deps>['onProgress'];
}

/** Calls of a turn that wait, and the results of the others. */
export interface WaitingTools {
  readonly calls: readonly SavedCall[];
  readonly results: readonly ModelMessage[];
}

/**
 * Gives what waits for approval, when something does; the transcript then has none of the results yet. Rejects with a
 * RunError, or with the signal's reason.
 */
export async function useTools<Deps>(
  plan: RunPlan<Deps>,
  input: RunInput<Deps>,
  state: RunState,
  { calls, turn, registry, resumed, onProgress }: CalledTools<Deps>,
): Promise<WaitingTools | undefined> {
  const { deps, signal, emit, trace, above, onAttempt } = input;
  const names = [...new Set(calls.map(call => call.name))].join(', ');
  state.position = { stage: 'tool', where: `while tools ran in turn ${turn} (${names})` };
  signal?.throwIfAborted();
  const tools = { ...plan.tools, registry };
  const known = resumed ? 0 : countKnown(calls, tools);
  checkUsage(state, known);
  // Before they run: runs that they start are held against the same limits.
  state.count({ toolCalls: known });
  if (resumed?.decisions) await checkResumed(plan, state, calls, registry, resumed.calls, resumed.decisions);
  const { strikes, ledger } = state;
  const attempts = new WatchedAttempts(onAttempt);
  const link = { ledger, depth: above === undefined ? 0 : above.depth + 1, onAttempt: attempts.ask };
  const facts = { calls, turn, deps, signal, emit, strikes, trace, link, resumed, onProgress };
  const result = await runTools(tools, facts);
  if (result.paused === undefined) state.messages.push(...result.messages);
  state.count({
    rejectedCalls: result.rejected,
    truncatedObservations: result.truncated,
  });
  signal?.throwIfAborted();
  checkDelegated(state, attempts.forbidden);
  if (result.paused !== undefined) return { calls: result.paused, results: result.messages };
  if (result.fatal === undefined) return undefined;
  throw toolFailure(state, result.fatal);
}

function toolFailure(state: RunState, fatal: NonNullable<TurnResult['fatal']>): RunError {
  const { call, error, attempts } = fatal;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  const message = `tool "${call.name}" failed${tries}: ${messageOf(error)}`;
  return state.failure('tool', message, error, { call, attempts });
}

/** Asks about attempts of runs below whoever is asked about those of this run, and remembers a no. */
class WatchedAttempts {
  readonly ask: RespondOptions['onAttempt'];
  forbidden: { readonly error: unknown } | undefined;

  constructor(onAttempt: RespondOptions['onAttempt']) {
    this.ask =
      onAttempt &&
      (attempt => {
        try {
          onAttempt(attempt);
        } catch (error) {
          this.forbidden = { error };
          throw error;
        }
      });
  }
}

/** A limit or budget of this run that a run below has met is what this run fails of, whatever its tool made of it. */
function checkDelegated(state: RunState, forbidden: WatchedAttempts['forbidden']): void {
  const { refused } = state.ledger;
  if (refused !== undefined) throw state.failure('usage', refused.message, refused);
  if (forbidden) throw state.failure('usage', messageOf(forbidden.error), forbidden.error);
}

/**
 * Before anything runs: every call that waits has its tool, and what was approved instead fits it. A tool of a source may
 * be gone since, which the model is told as of any tool that is not there.
 */
async function checkResumed<Deps>(
  { supply }: RunPlan<Deps>,
  state: RunState,
  calls: readonly ToolCall[],
  registry: ToolRegistry<Deps>,
  saved: readonly SavedCall[],
  decisions: Decisions,
): Promise<void> {
  for (const [index, call] of calls.entries()) {
    const before = saved[index];
    if (before === undefined || 'done' in before) continue;
    const tool = registry.tools.get(call.name);
    if (tool === undefined) {
      if (supply.sources.length > 0) continue;
      const message = `resume: tool "${call.name}", a call of which waits, is none of the agent's tools now`;
      throw state.failure('tool', message, undefined, { call });
    }
    const verdict = readDecision(decisionOn(decisions, call.id));
    if (!verdict.allow || verdict.arguments === undefined) continue;
    await approvedArguments(tool, verdict.arguments.value).catch((error: unknown) => {
      throw state.failure('tool', `resume: ${messageOf(error)}`, error, { call });
    });
  }
}
