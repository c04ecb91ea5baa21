/** A whole agent as one tool, for a server to offer. */
import type { Agent } from '../../agent/agent.ts';
import type { RunEvent } from '../../agent/events.ts';
import type { RunResult } from '../../agent/run-plan.ts';
import { isObject } from '../../basics/json.ts';
import { checkChoice, checkHas } from '../../basics/option-checks.ts';
import type { Budget } from '../../patterns/budget/budget.ts';
import type { Schema } from '../../schema/schema.ts';
import { text } from '../../tools/content.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isNeedInput } from '../../tools/need-input.ts';
import { type Tool, type ToolAnnotations, type ToolResult, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { explainRun } from './explain-run.ts';
import { type OnInternalFailure, reportOnStderr } from './operator-report.ts';
import { agentOutput } from './pattern-outputs.ts';
import { PausedRuns, type PausedRunsOptions } from './paused-runs.ts';
import { refusedCalls } from './refused-calls.ts';
import { runResumable, type ServedAgent } from './resumable-run.ts';
import type { ServedObserver } from './served-events.ts';

/** How an agent is served; `deps` must be given unless the agent needs nothing. */
export type ServeAgentOptions<Deps, Output> = ServedAgentFacts<Output> &
  (unknown extends Deps ? MaybeDeps<Deps> : DepsSource<Deps>);

interface DepsSource<Deps> {
  /** What each run is given; called per call, so that it can depend on who is calling, and again after an approval. */
  readonly deps: (ctx: ToolContext) => Deps | Promise<Deps>;
}

type MaybeDeps<Deps> = { readonly [Name in keyof DepsSource<Deps>]?: DepsSource<Deps>[Name] | undefined };

interface ServedAgentFacts<Output> {
  /** The tool's name. */
  readonly name: string;
  /** What the agent is good for; clients choose by it. */
  readonly description: string;
  readonly title?: string | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** Schema of the agent's output, when it gives data; clients see it, and get the output as it is. */
  readonly output?: Schema | undefined;
  /** How the output is told; text as it is and data as JSON by default. */
  readonly render?: ((output: Output) => string) | undefined;
  /** Most characters of a prompt; 100,000 unless set. */
  readonly maxPrompt?: number | undefined;
  /** Whether a run may go on as a task, where server and client can do tasks; `allowed` unless set. */
  readonly task?: 'never' | 'allowed' | 'required' | undefined;
  /** Where runs wait that ask for approval. */
  readonly waiting?: PausedRunsOptions | undefined;
  /** Gets what callers must not read, under the reference that they were given; `console.error` unless set. */
  readonly onError?: OnInternalFailure | undefined;
  /** Watches each run, with the context of its call. */
  readonly observe?: ServedObserver | undefined;
}

/**
 * The tool. It takes a prompt, reports progress per turn and per tool, and stops when the caller cancels. Of an agent
 * made with `pause: true` the caller is asked about each call that needs approval, and the run goes on where it paused,
 * in every revision of the protocol; a caller that cannot be asked has denied. What was spent is in the structured
 * content of an agent that answers with text, and always in `_meta`.
 */
export function serveAgent<Deps, Output>(
  agent: Agent<Deps, Output, boolean>,
  options: ServeAgentOptions<Deps, Output>,
): Tool {
  checkHas('serveAgent', 'the first argument', agent, 'run', 'an agent, such as new Agent({ … })');
  if (!isObject(options)) throw new TypeError('serveAgent: give name and description as the second argument');
  const { deps }: MaybeDeps<Deps> = options;
  return serveRuns<Output>({
    ...options,
    getRun: async ctx => ({ agent: agent as unknown as ServedAgent<Output>, deps: await deps?.(ctx) }),
    paused: new PausedRuns(options.waiting),
  });
}

/** As `ServeAgentOptions`, for agents that are made per call. */
export interface ServeRunsOptions<Output> extends ServedAgentFacts<Output> {
  readonly getRun: (ctx: ToolContext) => Promise<{
    readonly agent: ServedAgent<Output>;
    readonly deps?: unknown;
    /** See `ResumableRun`. */
    readonly budget?: Budget | undefined;
  }>;
  readonly paused: PausedRuns;
}

export function serveRuns<Output>(options: ServeRunsOptions<Output>): Tool {
  const { name, description, title, annotations, output, maxPrompt = 100_000, task = 'allowed' } = options;
  const { getRun, paused, onError = reportOnStderr, observe } = options;
  checkChoice('serveAgent', 'task', task, ['never', 'allowed', 'required']);
  return tool({
    name,
    description,
    ...(title === undefined ? {} : { title }),
    ...(annotations === undefined ? {} : { annotations }),
    task,
    input: {
      type: 'object',
      properties: {
        prompt: {
          type: 'string',
          minLength: 1,
          maxLength: maxPrompt,
          description: 'What the agent is to do.',
        },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
    output: output ?? agentOutput,
    async run({ prompt }, ctx: ToolContext) {
      if (prompt.trim() === '') throw new ToolError('prompt must not be blank; say what the agent is to do');
      const { agent, deps, budget } = await getRun(ctx);
      try {
        const run = await runResumable(ctx, { agent, deps, name, prompt, paused, budget, describe, observe });
        return isNeedInput(run) ? run : toResult(run, options);
      } catch (error) {
        throw explainRun(error, onError);
      }
    },
  }) as Tool;
}

function toResult<Output>(run: RunResult<Output>, { output, render }: ServedAgentFacts<Output>): ToolResult {
  const told = render?.(run.output) ?? tell(run.output);
  return {
    content: [text(told)],
    structuredContent: output === undefined ? report(run, told) : run.output,
    _meta: { 'tenon/usage': run.usage },
  };
}

function report({ counts, usage, notes, messages }: RunResult<unknown>, answer: string): object {
  const { inputTokens, outputTokens, requests: calls } = usage;
  const refused = refusedCalls(messages);
  return {
    answer,
    turns: counts.turns,
    toolCalls: counts.toolCalls,
    notes: notes.map(({ message }) => message),
    usage: { inputTokens, outputTokens, calls },
    ...(refused.length > 0 ? { refusedCalls: refused } : {}),
  };
}

function tell(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** One step per turn and per tool that came to an end, those of agents that it calls included. */
function describe(event: RunEvent): string | undefined {
  if (event.type === 'delegated') {
    const inner = describe(event.event);
    return inner === undefined ? undefined : `${event.tool}: ${inner}`;
  }
  if (event.type === 'turn-start') return `turn ${event.turn}`;
  if (event.type === 'tool-end') return `${event.tool} ${event.isError ? 'failed' : 'done'}`;
  return undefined;
}
