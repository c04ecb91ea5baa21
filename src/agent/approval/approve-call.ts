/** Whether a call may run: at once, by somebody's decision, not at all, or not yet. */
import { raceAbort } from '../../basics/abort.ts';
import { TenonError } from '../../basics/failure.ts';
import type { ToolCall } from '../../models/model.ts';
import { explain } from '../../schema/explain.ts';
import { notCounted, type Outcome, toFailure } from '../calls/execute-call.ts';
import type { PreparedTool } from '../calls/tool-registry.ts';
import { type ApproveTool, readDecision, refusal, type ToolDecision, type Verdict } from './decisions.ts';

/** Who decides about calls that need approval. */
export interface ApprovalPlan {
  readonly approve: ApproveTool | undefined;
  /** Whether the run stops and waits where nobody decides at once. */
  readonly pauses: boolean;
}

export interface ApprovalFacts extends ApprovalPlan {
  readonly call: ToolCall;
  readonly signal: AbortSignal | undefined;
  /** What was decided while the run was paused for this call. */
  readonly resumed?: { readonly decision: ToolDecision | undefined } | undefined;
}

export type Approved =
  | { readonly ok: true; readonly args: unknown }
  /** What is put in the place of a result; `pending` when the call is to wait. */
  | { readonly ok: false; readonly outcome: Outcome };

/** Rejects only with the signal's reason. */
export async function approveCall<Deps>(
  tool: PreparedTool<Deps>,
  args: unknown,
  facts: ApprovalFacts,
): Promise<Approved> {
  const { call, signal, approve, pauses, resumed } = facts;
  try {
    if (resumed?.decision !== undefined) return await follow(tool, args, readDecision(resumed.decision));
    if (resumed !== undefined && pauses) return wait;
    if (resumed === undefined && !(await needsApproval(tool, args, signal))) return { ok: true, args };
    if (approve !== undefined) {
      const request = { callId: call.id, tool: tool.name, arguments: args, signal };
      const verdict = await raceAbort(ask(approve, request), signal);
      return await follow(tool, args, readDecision(verdict));
    }
  } catch (error) {
    signal?.throwIfAborted();
    // Not the words of whoever was asked: they are for the operator.
    const content = `Tool "${tool.name}" was not run: it could not be decided whether it may`;
    return { ok: false, outcome: { content, failure: { error, correctable: false } } };
  }
  return pauses ? wait : { ok: false, outcome: toFailure(tool.name, nobodyApproves(tool.name)) };
}

const wait: Approved = { ok: false, outcome: { content: '', pending: {} } };

export function nobodyApproves(tool: string): TenonError {
  return new TenonError(`tool "${tool}" needs approval, and nobody can give it`, {
    hint: 'Give the agent approve, which decides in this process, or pause: true, which stops the run until resume.',
  });
}

/** Anything but a clear `false` of a function means yes: a slip there would let a call through. */
export async function needsApproval<Deps>(
  { needsApproval: needs = false }: PreparedTool<Deps>,
  args: unknown,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (typeof needs === 'boolean') return needs;
  return (await raceAbort(ask(needs, args), signal)) !== false;
}

async function ask<Question, Answer>(
  decide: (question: Question) => Answer,
  question: Question,
): Promise<Awaited<Answer>> {
  return await decide(question);
}

async function follow<Deps>(tool: PreparedTool<Deps>, args: unknown, verdict: Verdict): Promise<Approved> {
  if (!verdict.allow) {
    return { ok: false, outcome: { content: refusal(tool.name, verdict.reason), failure: notCounted } };
  }
  if (verdict.arguments === undefined) return { ok: true, args };
  return { ok: true, args: await approvedArguments(tool, verdict.arguments.value) };
}

/** The arguments that whoever approved gave. Rejects with a TypeError when they do not fit the tool. */
export async function approvedArguments<Deps>(tool: PreparedTool<Deps>, value: unknown): Promise<unknown> {
  const verdict = await tool.input.validate(value);
  if (verdict.ok) return verdict.value;
  const why = await explain(verdict.issues, { schema: tool.input.json, value });
  throw new TypeError(`the approved arguments do not fit tool "${tool.name}": ${why}`);
}
