/** One tool run to its outcome: within its time, cut short by an abort, whatever it throws or returns. */
import type { Clock } from '../basics/clock.ts';
import { messageOf, TenonError } from '../basics/failure.ts';
import { excerpt } from '../basics/redact.ts';
import { runWithin } from '../basics/time-limit.ts';
import type { ToolCall } from '../models/model.ts';
import { explainIssues } from '../schema/issues.ts';
import { renderContent } from '../tools/render-content.ts';
import { toToolResult } from '../tools/result.ts';
import { isToolError, ToolError } from '../tools/tool-error.ts';
import { toolTimeoutError } from '../tools/tool-timeout.ts';
import type { RunObserver } from './events.ts';
import { toolContext } from './tool-context.ts';
import { type Observation, toObservation } from './tool-message.ts';
import type { PreparedTool } from './tool-registry.ts';

/** What came of a call. */
export interface Outcome {
  /** What the model reads. */
  readonly content: Observation;
  readonly failure?: { readonly error: unknown; readonly correctable: boolean };
}

export interface ExecuteFacts<Deps> {
  readonly call: ToolCall;
  readonly turn: number;
  readonly deps: Deps;
  /** The run's own. */
  readonly signal: AbortSignal | undefined;
  readonly emit: RunObserver | undefined;
  readonly clock: Clock;
}

/** Rejects only when the run's signal aborts, with its reason and at once; a tool that goes on is left behind. */
export async function executeCall<Deps>(
  tool: PreparedTool<Deps>,
  args: unknown,
  facts: ExecuteFacts<Deps>,
): Promise<Outcome> {
  const { call, turn, deps, signal, emit, clock } = facts;
  const limit = { ms: tool.timeout, clock, signal, expired: (ms: number) => toolTimeoutError(tool.name, ms) };
  let over = false;
  try {
    const returned = await runWithin(limit, own =>
      tool.run(args, toolContext({ call, turn, deps, signal: own, emit, isOver: () => over })),
    );
    return await toOutcome(tool, returned);
  } catch (error) {
    signal?.throwIfAborted();
    return toFailure(tool.name, error);
  } finally {
    over = true;
  }
}

/** Failures of the model's making are said as they are; of others the first line, without secrets. */
export function toFailure(tool: string, error: unknown): Outcome {
  if (isToolError(error)) return { content: error.message, failure: { error, correctable: true } };
  const content = `Tool "${tool}" failed: ${excerpt(messageOf(error)) || 'it does not say why'}`;
  return { content, failure: { error, correctable: false } };
}

async function toOutcome<Deps>(tool: PreparedTool<Deps>, returned: unknown): Promise<Outcome> {
  const result = toToolResult(returned, tool.output !== undefined);
  const content = toObservation(result);
  if (result.isError === true) {
    const error = new ToolError(renderContent(content) || `Tool "${tool.name}" reports a failure`, {
      data: result.structuredContent,
    });
    return { content: content === '' ? error.message : content, failure: { error, correctable: true } };
  }
  const verdict = await tool.output?.validate(result.structuredContent);
  if (verdict !== undefined && !verdict.ok) {
    throw new TenonError(
      `tool "${tool.name}" returned data that does not fit its output schema: ${explainIssues(verdict.issues)}`,
      { hint: 'Mend the tool or its output schema; the model cannot.' },
    );
  }
  return { content };
}
