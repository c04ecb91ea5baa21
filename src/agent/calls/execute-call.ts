/** One tool run to its outcome: within its time, cut short by an abort, whatever it throws or returns. */
import type { Clock } from '../../basics/clock.ts';
import { summaryOf, TenonError } from '../../basics/failure.ts';
import { isObject, printJson } from '../../basics/json.ts';
import { excerpt } from '../../basics/redact.ts';
import { runWithin } from '../../basics/time-limit.ts';
import type { TraceContext } from '../../basics/trace.ts';
import type { ToolCall, ToolMessage } from '../../models/model.ts';
import { explain } from '../../schema/explain.ts';
import { renderContent } from '../../tools/render-content.ts';
import { toToolResult } from '../../tools/result.ts';
import { isToolError, ToolError } from '../../tools/tool-error.ts';
import { toolTimeoutError } from '../../tools/tool-timeout.ts';
import { isNestedPause } from '../approval/nested-pause.ts';
import type { PausedState } from '../approval/paused-state.ts';
import type { RunEvent, RunObserver } from '../events.ts';
import { dataText } from '../results/reconcile.ts';
import { toContent, toObservation } from '../results/tool-message.ts';
import { type Delegation, delegate, type RunLink } from './delegation.ts';
import { toolContext } from './tool-context.ts';
import type { PreparedTool } from './tool-registry.ts';

/** What came of a call. */
export interface Outcome {
  readonly content: ToolMessage['content'];
  readonly structuredContent?: unknown;
  readonly failure?: { readonly error: unknown; readonly correctable: boolean };
  /** There is no result yet: the call waits for approval, or the run that it has started does. */
  readonly pending?: { readonly nested?: PausedState };
}

/** Stands for calls that were not run for a reason that is no failure of their tool. */
export const notCounted: NonNullable<Outcome['failure']> = Object.freeze({
  error: undefined,
  correctable: true,
});

export interface ExecuteFacts<Deps> {
  readonly call: ToolCall;
  readonly turn: number;
  readonly deps: Deps;
  /** The run's own. */
  readonly signal: AbortSignal | undefined;
  readonly emit: RunObserver | undefined;
  readonly clock: Clock;
  /** The span of this call. */
  readonly trace: TraceContext | undefined;
  /** For tools that run agents; there is none where no agent runs this call. */
  readonly link: RunLink | undefined;
  /** Whether the run can be paused. */
  readonly pauses: boolean;
  /** The run that the call had started when it was paused. */
  readonly resumed?: Delegation['resumed'];
}

/** Rejects only when the run's signal aborts, with its reason and at once; a tool that goes on is left behind. */
export async function executeCall<Deps>(
  tool: PreparedTool<Deps>,
  args: unknown,
  facts: ExecuteFacts<Deps>,
): Promise<Outcome> {
  const { call, turn, deps, signal, emit, clock, trace, link, pauses, resumed } = facts;
  const limit = { ms: tool.timeout, clock, signal, expired: (ms: number) => toolTimeoutError(tool.name, ms) };
  let over = false;
  try {
    const returned = await runWithin(limit, own => {
      const context = toolContext({ call, turn, deps, signal: own, emit, trace, isOver: () => over });
      const about = { turn, callId: call.id, tool: call.name };
      const tell = emit && ((event: RunEvent) => void (over || emit({ type: 'delegated', ...about, event })));
      if (link !== undefined) delegate(context, { ...link, tell, resumed });
      return tool.run(args, context);
    });
    return await toOutcome(tool, returned);
  } catch (error) {
    signal?.throwIfAborted();
    if (pauses && isNestedPause(error)) return { content: '', pending: { nested: error.state } };
    return toFailure(tool.name, error);
  } finally {
    over = true;
  }
}

/** Failures of the model's making are said as they are; of others the first line of the summary, without secrets. */
export function toFailure(tool: string, error: unknown): Outcome {
  if (isToolError(error)) {
    const { data } = error;
    const structuredContent =
      isObject(data) && dataText(data) !== undefined ? { structuredContent: data } : {};
    return { content: error.message, ...structuredContent, failure: { error, correctable: true } };
  }
  const content = `Tool "${tool}" failed: ${excerpt(summaryOf(error)) || 'it does not say why'}`;
  return { content, failure: { error, correctable: false } };
}

/** Some peers say it in words. */
function saysError(isError: unknown): boolean {
  return isError === true || isError === 1 || (typeof isError === 'string' && /^true$/i.test(isError));
}

async function toOutcome<Deps>(tool: PreparedTool<Deps>, returned: unknown): Promise<Outcome> {
  const result = toToolResult(returned, tool.output !== undefined);
  const content = toContent(result.content);
  const { structuredContent } = result;
  // A result that JSON cannot carry is a fault of the tool, not of whoever stores or sends the transcript.
  if (structuredContent !== undefined) printJson(structuredContent);
  const full = { content, ...(structuredContent === undefined ? {} : { structuredContent }) };
  if (saysError(result.isError)) {
    const error = new ToolError(
      renderContent(toObservation(full)) || `Tool "${tool.name}" reports a failure`,
      {
        data: result.structuredContent,
      },
    );
    const said = content === '' && structuredContent === undefined ? { content: error.message } : full;
    return { ...said, failure: { error, correctable: true } };
  }
  const verdict = await tool.output?.validate(result.structuredContent);
  if (verdict !== undefined && !verdict.ok) {
    throw new TenonError(
      `tool "${tool.name}" returned data that does not fit its output schema: ${await explain(verdict.issues)}`,
      { hint: 'Mend the tool or its output schema; the model cannot.' },
    );
  }
  return full;
}
