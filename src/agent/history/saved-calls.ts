/** The calls of a turn over a pause: how they are kept, and what is known of each when the run goes on. */
import type { ToolCall } from '../../models/model.ts';
import type { Decisions, ToolDecision } from '../approval/decisions.ts';
import { pendingId, type SavedCall, type SavedOutcome } from '../approval/paused-state.ts';
import type { Delegation } from '../calls/delegation.ts';
import { notCounted, type Outcome } from '../calls/execute-call.ts';

/** Where a turn stopped, and what was decided since. */
export interface ResumedTurn {
  readonly calls: readonly SavedCall[];
  /** Without any, what is not done begins as if nothing had stopped. */
  readonly decisions?: Decisions | undefined;
}

/** What is known of a call that waited: the decision on it, or the run that it had started. */
export interface ResumedCall {
  readonly decision: ToolDecision | undefined;
  readonly run?: NonNullable<Delegation['resumed']>;
}

/** All calls of the turn, each with its outcome or with what it waits for. */
export function saveCalls(
  calls: readonly ToolCall[],
  outcomes: readonly (Outcome | undefined)[],
  pending: ReadonlyMap<number, NonNullable<Outcome['pending']>> = new Map(),
): readonly SavedCall[] {
  return calls.map(({ id }, index) => {
    const { failure, content, structuredContent } = outcomes[index] ?? {};
    if (content === undefined) return { id, ...pending.get(index) };
    const outcome = failure === undefined ? 'worked' : failure === notCounted ? 'not-counted' : 'failed';
    const data = structuredContent === undefined ? {} : { structuredContent };
    // Blocks of content are objects; a transcript holds no others.
    return { id, done: { content: content as SavedOutcome['content'], ...data, outcome } };
  });
}

/** The outcome of a call that was done before the run was paused. */
export function reopenCall(saved: SavedCall | undefined): Outcome | undefined {
  if (saved === undefined || !('done' in saved)) return undefined;
  const { content, structuredContent, outcome } = saved.done;
  const failures = {
    worked: undefined,
    'not-counted': notCounted,
    // It did not end the run then, so its words are all that is still needed of it.
    failed: { error: undefined, correctable: true },
  };
  const failure = failures[outcome];
  return {
    content: content as Outcome['content'],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** What was decided about a call that waited, or about those of the run that it had started. */
export function resumeCall(resumed: ResumedTurn | undefined, index: number): ResumedCall | undefined {
  const saved = resumed?.calls[index];
  const decisions = resumed?.decisions;
  if (decisions === undefined || saved === undefined || 'done' in saved) return undefined;
  if (saved.nested === undefined) return { decision: decisionOn(decisions, saved.id) };
  const start = `${pendingId(saved.id)}/`;
  const inner = Object.entries(decisions)
    .filter(([id]) => id.startsWith(start))
    .map(([id, decision]) => [id.slice(start.length), decision] as const);
  return { decision: undefined, run: { state: saved.nested, decisions: Object.fromEntries(inner) } };
}

/** The id may be the name of a member that every object has. */
export function decisionOn(decisions: Decisions, callId: string): ToolDecision | undefined {
  const id = pendingId(callId);
  return Object.hasOwn(decisions, id) ? decisions[id] : undefined;
}
