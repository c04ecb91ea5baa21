/** A whole agent as one tool, for a server to offer. */

import type { Agent } from '../agent/agent.ts';
import { isRunAbortedError, isRunError, type RunError, type RunStage } from '../agent/errors.ts';
import type { RunEvent } from '../agent/events.ts';
import type { RunOptions } from '../agent/run-options.ts';
import { isObject } from '../basics/json.ts';
import { checkHas } from '../basics/option-checks.ts';
import type { Cost } from '../patterns/result.ts';
import type { Schema } from '../schema/schema.ts';
import type { ToolContext } from '../tools/context.ts';
import { type Tool, type ToolAnnotations, tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { type OnInternalFailure, reportOnStderr } from './operator-report.ts';
import { toToolError } from './pattern-failures.ts';

/** How an agent is served; `deps` must be given unless the agent needs nothing. */
export type ServeAgentOptions<Deps, Output> = ServedAgent<Output> &
  (unknown extends Deps ? MaybeDeps<Deps> : DepsSource<Deps>);

interface DepsSource<Deps> {
  /** What each run is given; called per call, so that it can depend on who is calling. */
  readonly deps: (ctx: ToolContext) => Deps | Promise<Deps>;
}

type MaybeDeps<Deps> = { readonly [Name in keyof DepsSource<Deps>]?: DepsSource<Deps>[Name] | undefined };

interface ServedAgent<Output> {
  /** The tool's name. */
  readonly name: string;
  /** What the agent is good for; clients choose by it. */
  readonly description: string;
  readonly title?: string | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** Schema of the agent's output, when it gives data; clients see it. */
  readonly output?: Schema | undefined;
  /** How the output is told; text as it is and data as JSON by default. */
  readonly render?: ((output: Output) => string) | undefined;
  /** Gets what callers must not read, under the reference that they were given; `console.error` unless set. */
  readonly onError?: OnInternalFailure | undefined;
}

const input = {
  type: 'object',
  properties: { prompt: { type: 'string', minLength: 1, description: 'What the agent is to do.' } },
  required: ['prompt'],
  additionalProperties: false,
} as const;

/** Failures whose stage says enough; the others are told by their cause, or by a reference alone. */
const stages: Partial<Record<RunStage, string>> = {
  loop: 'the agent did not come to an answer within its turns; ask for less at once',
  usage: 'the agent has used up what one call may spend; ask for less at once',
  decode: 'the agent did not find an answer of the form it owes; try again or ask in other words',
};

/**
 * The tool. It takes a prompt, reports progress per turn and per tool, stops when the caller cancels, and says what it
 * spent in `_meta` of the result.
 */
export function serveAgent<Deps, Output>(
  agent: Agent<Deps, Output>,
  options: ServeAgentOptions<Deps, Output>,
): Tool {
  checkHas('serveAgent', 'the first argument', agent, 'run', 'an agent, such as new Agent({ … })');
  if (!isObject(options)) throw new TypeError('serveAgent: give name and description as the second argument');
  const { name, description, title, annotations, output, render, onError = reportOnStderr } = options;
  const { deps }: MaybeDeps<Deps> = options;
  return tool({
    name,
    description,
    ...(title === undefined ? {} : { title }),
    ...(annotations === undefined ? {} : { annotations }),
    input,
    ...(output === undefined ? {} : { output }),
    async run({ prompt }, ctx: ToolContext) {
      if (prompt.trim() === '') throw new ToolError('prompt must not be blank; say what the agent is to do');
      const run = { signal: ctx.signal, onEvent: reportProgress(ctx), deps: await deps?.(ctx) };
      try {
        // Agents that need nothing take no deps; those that do are served with `options.deps`.
        const result = await agent.run(prompt, ...([run] as unknown as [RunOptions<Deps> & { deps: Deps }]));
        const told = render?.(result.output) ?? tell(result.output);
        return {
          content: [{ type: 'text' as const, text: told }],
          ...(output === undefined ? {} : { structuredContent: result.output }),
          _meta: { 'tenon/usage': result.usage },
        };
      } catch (error) {
        throw isRunError(error) ? explainRun(error, onError) : toToolError(error, onError);
      }
    },
  }) as Tool;
}

function tell(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function explainRun(error: RunError, onError: OnInternalFailure): ToolError {
  const { inputTokens, outputTokens, requests } = error.usage;
  const cost: Cost = { inputTokens, outputTokens, calls: requests };
  const cancelled: boolean = isRunAbortedError(error);
  if (cancelled) {
    return new ToolError('the call was cancelled', { data: { kind: 'aborted', retryable: true, cost } });
  }
  const known = stages[error.stage];
  if (known !== undefined) {
    return new ToolError(known, { data: { kind: error.stage, retryable: true, cost }, cause: error });
  }
  const { message, data } = toToolError(error, onError);
  return new ToolError(message, { data: { ...(data as object), cost }, cause: error });
}

/** One step per turn and per tool that came to an end. */
function reportProgress(ctx: ToolContext): (event: RunEvent) => void {
  let steps = 0;
  return event => {
    if (event.type === 'turn-start') ctx.progress(++steps, { message: `turn ${event.turn}` });
    else if (event.type === 'tool-end')
      ctx.progress(++steps, { message: `${event.tool} ${event.isError ? 'failed' : 'done'}` });
  };
}
