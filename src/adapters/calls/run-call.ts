/** One call of a library's model, run as an agent runs it: checked by the tool's own schema, within its time. */

import { approveCall, needsApproval } from '../../agent/approval/approve-call.ts';
import type { ApproveTool } from '../../agent/approval/decisions.ts';
import { executeCall, type Outcome, toFailure } from '../../agent/calls/execute-call.ts';
import { prepareCall } from '../../agent/calls/prepare-call.ts';
import type { ToolRegistry } from '../../agent/calls/tool-registry.ts';
import type { Clock } from '../../basics/clock.ts';
import { TenonError } from '../../basics/failure.ts';
import type { ToolCall } from '../../models/model.ts';
import { type Content, text } from '../../tools/content.ts';
import { renderContent } from '../../tools/render-content.ts';
import type { AskedCalls } from './asked-calls.ts';
import type { Turnstile } from './turnstile.ts';

/** A call as a library gives it. */
export interface Call {
  readonly id: string;
  /** As the model knows the tool. */
  readonly name: string;
  /** Parsed, or the JSON text that the model wrote. */
  readonly input: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** What came of a call; JSON-safe. */
export interface CallResult {
  /** Blocks for the model and for people, in full. */
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  /** Whether the call failed in a way the model can mend. */
  readonly isError: boolean;
}

export interface CallPlan {
  /** Whether slips that the schema does not allow are mended before it judges. */
  readonly tidy: boolean;
  readonly registry: ToolRegistry<unknown>;
  readonly turnstile: Turnstile;
  readonly clock: Clock;
  /** Who decides about calls that need approval; nobody, and they fail. */
  readonly approve: ApproveTool | undefined;
  readonly asked: AskedCalls;
}

/**
 * Resolves with the result, an unknown tool, arguments that do not fit, a refused approval and a failure that the model
 * can mend included. Rejects with the signal's reason at once, and with a TenonError for every other failure: its
 * message is fit for the model, its cause is what happened.
 */
export async function runCall(call: Call, plan: CallPlan): Promise<CallResult> {
  const { name, signal } = call;
  const written = toToolCall(call);
  const prepared = await prepareCall(written, plan.registry, plan.tidy);
  signal?.throwIfAborted();
  if (!prepared.ok) return settle(toFailure(name, prepared.error));
  const { tool, args } = prepared;
  const { approve } = plan;
  const approval = { call: written, signal, approve, pauses: false };
  const approved = plan.asked.take(call) ? prepared : await approveCall(tool, args, approval);
  if (!approved.ok) return settle(approved.outcome);
  const facts = { ...nobody, call: written, signal, clock: plan.clock };
  return settle(
    await plan.turnstile.pass(tool.sequential, signal, () => executeCall(tool, approved.args, facts)),
  );
}

/** Whether the library must ask before the call runs; not for one that will be refused anyway. */
export async function callNeedsApproval(call: Call, plan: CallPlan): Promise<boolean> {
  const prepared = await prepareCall(toToolCall(call), plan.registry, plan.tidy);
  const needs = prepared.ok && (await needsApproval(prepared.tool, prepared.args, call.signal));
  if (needs) plan.asked.add(call);
  return needs;
}

/** What a call has in an agent, and not here. */
const nobody = {
  turn: 1,
  deps: undefined,
  emit: undefined,
  trace: undefined,
  link: undefined,
  pauses: false,
} as const;

/** Some libraries parse arguments, some hand on the text; nothing at all stands for none. */
function toToolCall({ id, name, input }: Call): ToolCall {
  return { id, name, arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}) };
}

function settle({ content, structuredContent, failure }: Outcome): CallResult {
  if (failure !== undefined && !failure.correctable) {
    throw new TenonError(renderContent(content), { cause: failure.error });
  }
  return {
    content: typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: failure !== undefined,
  };
}
