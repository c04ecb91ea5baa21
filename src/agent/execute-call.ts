/** One tool run to its outcome: within its time, cut short by an abort, whatever it throws or returns. */
import { linkAbort, raceAbort } from '../basics/abort.ts';
import type { Clock } from '../basics/clock.ts';
import { messageOf, TenonError } from '../basics/failure.ts';
import { excerpt } from '../basics/redact.ts';
import { TimeoutError } from '../basics/timeout-error.ts';
import type { ToolCall } from '../models/model.ts';
import { renderContent } from '../models/render-content.ts';
import { explainIssues } from '../schema/issues.ts';
import { toToolResult } from '../tools/result.ts';
import { isToolError, ToolError } from '../tools/tool-error.ts';
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
  const limit = startLimit(tool, signal, clock);
  let over = false;
  const context = toolContext({ call, turn, deps, signal: limit.signal, emit, isOver: () => over });
  try {
    // The wrapper turns what is thrown at once into a rejection.
    const running = (async () => await tool.run(args, context))();
    return await toOutcome(tool, await raceAbort(running, limit.signal));
  } catch (error) {
    // Whatever a tool makes of its signal: an abort of the run wins, then its own time.
    signal?.throwIfAborted();
    return toFailure(tool.name, limit.expired() ?? error);
  } finally {
    over = true;
    limit.stop();
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

interface RunningLimit {
  readonly signal: AbortSignal;
  /** The TimeoutError, once the time is over. */
  readonly expired: () => TimeoutError | undefined;
  readonly stop: () => void;
}

function startLimit<Deps>(
  tool: PreparedTool<Deps>,
  signal: AbortSignal | undefined,
  clock: Clock,
): RunningLimit {
  const { name, timeout: ms } = tool;
  if (ms === undefined) {
    return { signal: signal ?? new AbortController().signal, expired: () => undefined, stop: () => {} };
  }
  const controller = new AbortController();
  const unlink = linkAbort([signal], controller);
  let expired: TimeoutError | undefined;
  const onTime = (): void => {
    expired = new TimeoutError(`tool "${name}" did not finish within ${ms} ms`, {
      phase: `tool ${name}`,
      limit: 'tool',
      ms,
      hint: 'Raise its timeout, or make it stop when ctx.signal aborts.',
    });
    controller.abort(expired);
  };
  const timer = clock.after(ms, onTime, true);
  return {
    signal: controller.signal,
    expired: () => expired,
    stop() {
      timer.cancel();
      unlink();
    },
  };
}
