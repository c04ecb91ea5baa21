/** Tools that run only when they were approved: the same to a model, with the gate before their run. */

import { passOn } from '../../agent/calls/delegation.ts';
import { type Clock, systemClock } from '../../basics/clock.ts';
import { checkFunction, checkMilliseconds } from '../../basics/option-checks.ts';
import { runWithin } from '../../basics/time-limit.ts';
import { checkTool } from '../../tools/check-tool.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { AnyTool, Tool } from '../../tools/tool.ts';
import { toolTimeoutError } from '../../tools/tool-timeout.ts';
import type { Observers } from '../contract/trace.ts';
import { type Approval, type ApprovalOptions, readApproval, selectTools } from './approval.ts';
import { approvalGate, type Gate, type GateHooks } from './approval-gate.ts';

export interface WithApprovalOptions extends Pick<Observers, 'onTrace' | 'traceContent'> {
  /** Milliseconds for tools that set no timeout themselves, from their approval on; no limit unless set. */
  readonly toolTimeout?: number | undefined;
  /** What the timeouts of the gate and of the tools read. */
  readonly clock?: Clock | undefined;
}

/**
 * The tool, or the list of tools, with a gate before each run: names, descriptions and schemas stay. The gate is asked
 * when the arguments were found to fit, and a call that it refuses is a ToolError. The time it takes does not count:
 * a tool's own timeout starts when it was approved, and the `toolTimeout` of an agent does not hold for these tools; set
 * it here instead. Where a call runs again with answers, as on a server that asked, the gate is asked again.
 * Throws a TypeError that names the option which cannot be used.
 */
export function withApproval<const T extends AnyTool<never> | readonly AnyTool<never>[]>(
  tools: T,
  approval: Approval,
  options: WithApprovalOptions = {},
): T {
  const where = 'withApproval';
  checkMilliseconds(where, 'toolTimeout', options.toolTimeout);
  checkFunction(where, 'onTrace', options.onTrace);
  const list: readonly AnyTool<never>[] = Array.isArray(tools) ? tools : [tools as AnyTool<never>];
  const guarded = guardTools(where, list, readApproval(where, 'approval', approval), options);
  // Each is what it was, with another `run` of the same type.
  return (Array.isArray(tools) ? guarded : guarded[0]) as T;
}

/** What `reactLoop` has to say and to hear beside the options. */
export interface GuardFacts extends WithApprovalOptions, GateHooks {
  /** The id of the call whose `run` is being entered; asked in that very moment. */
  readonly currentCall?: (() => string | undefined) | undefined;
  /** Told right before the `run` of a call that was let through. */
  readonly onPassed?: ((callId: string | undefined) => void) | undefined;
}

/** The same list with a gate before the tools that need one. */
export function guardTools<T extends AnyTool<never>>(
  where: string,
  tools: readonly T[],
  approval: ApprovalOptions,
  facts: GuardFacts,
): readonly T[] {
  const { clock = systemClock, toolTimeout, currentCall, onPassed } = facts;
  for (const [index, tool] of tools.entries()) checkTool(where, tool, index);
  const chosen = selectTools(where, tools, approval.tools);
  const gate = approvalGate(approval, { ...facts, clock });
  return tools.map(tool =>
    chosen.has(tool) ? guardTool(tool, gate, { clock, toolTimeout, currentCall, onPassed }) : tool,
  );
}

interface Setting extends Pick<GuardFacts, 'currentCall' | 'onPassed'> {
  readonly clock: Clock;
  readonly toolTimeout: number | undefined;
}

function guardTool<T extends AnyTool<never>>(
  tool: T,
  gate: Gate,
  { clock, toolTimeout, currentCall, onPassed }: Setting,
): T {
  const ms = tool.timeout ?? toolTimeout;
  const { name, run, needsApproval } = tool as unknown as Tool<unknown, unknown>;
  const guarded: Tool<unknown, unknown> = {
    ...(tool as unknown as Tool<unknown, unknown>),
    // The gate is this one.
    ...(needsApproval === undefined ? {} : { needsApproval: false }),
    // Left out, the default of whoever runs it would count the time of the gate.
    timeout: Number.POSITIVE_INFINITY,
    async run(args, ctx) {
      const callId = currentCall?.();
      const { signal } = ctx;
      await gate({ tool: name, arguments: args, ...(callId === undefined ? {} : { callId }), signal });
      // The run may have been cancelled between the decision and here.
      signal.throwIfAborted();
      onPassed?.(callId);
      const limit = { ms, clock, signal, expired: (after: number) => toolTimeoutError(name, after) };
      return runWithin(limit, own => run.call(tool, args, own === signal ? ctx : withSignal(ctx, own)));
    },
  };
  return Object.freeze(guarded) as unknown as T;
}

/** The context with another signal. Its members may be getters of a class, so each is passed on by name. */
function withSignal(ctx: ToolContext, signal: AbortSignal): ToolContext {
  return passOn(ctx, {
    signal,
    client: ctx.client,
    principal: ctx.principal,
    deps: ctx.deps,
    trace: ctx.trace,
    progress: (done, detail) => ctx.progress(done, detail),
    log: (level, data, logger) => ctx.log(level, data, logger),
    elicit: (key, question) => ctx.elicit(key, question),
    sample: (key, question) => ctx.sample(key, question),
    roots: key => ctx.roots(key),
    answers: ctx.answers,
    memo: ctx.memo,
    once: (key, effect) => ctx.once(key, effect),
    closeStream: () => ctx.closeStream(),
    startTask: () => ctx.startTask(),
  });
}
