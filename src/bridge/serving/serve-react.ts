/** The tool `react_loop`: a model with tools of the operator's choice; where these need approval, the caller is asked. */
import { Agent } from '../../agent/agent.ts';
import type { RunResult } from '../../agent/run-plan.ts';
import type { Model } from '../../models/model.ts';
import { type Meter, meterModel } from '../../patterns/asking/meter.ts';
import type { Cost } from '../../patterns/contract/result.ts';
import { type ReactOptions, reactLoop, reactSettings } from '../../patterns/react.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isNeedInput, type NeedInput } from '../../tools/need-input.ts';
import { type Tool, type ToolResult, tool } from '../../tools/tool.ts';
import { explainRun } from './explain-run.ts';
import type { ReactBounds } from './pattern-bounds.ts';
import {
  describeResult,
  type PatternSetting,
  type PatternWatch,
  patternAnnotations,
  runPattern,
} from './pattern-call.ts';
import { reactInput } from './pattern-inputs.ts';
import { reactOutput } from './pattern-outputs.ts';
import { refusedCalls } from './refused-calls.ts';
import { runResumable } from './resumable-run.ts';

/** The tool. Its own annotations promise nothing of what the tools that it uses do. */
export function serveReact(setting: PatternSetting, bounds: ReactBounds): Tool {
  const { schema, usual } = reactInput(bounds);
  const description =
    'Lets a language model work on a task with tools, step by step, until it has an answer. ' +
    `Its tools are fixed by this server (${setting.toolNames}); callers cannot register or choose tools.`;
  return tool({
    name: 'react_loop',
    title: 'Reasoning loop with tools',
    description: bounds.description ?? description,
    input: schema,
    output: reactOutput,
    annotations: patternAnnotations,
    run: ({ prompt, max_rounds: maxRounds = usual.max_rounds }, ctx: ToolContext) =>
      runPattern(setting, { prompt, total: maxRounds, bounds }, ctx, async (model, watch) => {
        const tools = await setting.getTools(ctx);
        const { maxObservation, maxCallsPerRound, toolTimeout } = bounds;
        const options = { ...watch, tools, maxRounds, maxObservation, maxCallsPerRound, toolTimeout };
        const asks = tools.some(({ needsApproval = false }) => needsApproval !== false);
        // A run that was paused goes on as what it was, whatever the tools are now.
        if (!asks && ctx.memo === undefined) return loop(model, prompt, options);
        return askOnTheWay(setting, model, prompt, options, ctx);
      }),
  }) as Tool;
}

async function loop(model: Model, prompt: string, options: ReactOptions): Promise<ToolResult> {
  const { value, cost, evidence } = await reactLoop(model, prompt, options);
  const { rounds, toolCalls, notes, messages } = evidence;
  return toResult({ answer: value, rounds, toolCalls, notes, usage: cost }, messages);
}

/** The same loop as an agent that can stop to ask. */
async function askOnTheWay(
  setting: PatternSetting,
  model: Model,
  prompt: string,
  options: ReactOptions & PatternWatch,
  ctx: ToolContext,
): Promise<ToolResult | NeedInput> {
  const meter: Meter = meterModel(model, options.budget, {});
  const settings = reactSettings(options, meter);
  const { tools, budget } = options;
  // A source: whoever changed the rules meanwhile may have taken the tool of a waiting call, and the model is told.
  const agent = new Agent({
    ...settings,
    name: 'react_loop',
    tools: { tools: async () => tools },
    pause: true,
  });
  try {
    const run = await runResumable(ctx, {
      agent,
      name: 'react_loop',
      prompt,
      paused: setting.paused,
      budget: budget === setting.budget ? undefined : budget,
      observe: setting.observe,
      describe: event => (event.type === 'turn-start' ? `round ${event.turn}` : undefined),
    });
    if (isNeedInput(run)) return run;
    const { output, counts, messages } = run;
    const facts = { rounds: counts.turns, toolCalls: counts.toolCalls, notes: meter.notes };
    return toResult({ answer: output, ...facts, usage: costOf(run) }, messages);
  } catch (error) {
    throw explainRun(error, setting.onError);
  }
}

interface ReactFacts {
  readonly answer: string;
  readonly rounds: number;
  readonly toolCalls: number;
  readonly notes: readonly string[];
  readonly usage: Cost;
}

function toResult(facts: ReactFacts, messages: Parameters<typeof refusedCalls>[0]): ToolResult {
  const { answer, rounds, toolCalls, usage } = facts;
  const refused = refusedCalls(messages);
  const told = {
    rounds,
    'tool calls': toolCalls,
    ...(refused.length > 0 ? { 'refused calls': refused.length } : {}),
  };
  return {
    ...describeResult(answer, told, usage),
    structuredContent: { ...facts, ...(refused.length > 0 ? { refusedCalls: refused } : {}) },
  };
}

/** Over all rounds of the call. */
function costOf({ usage: { inputTokens, outputTokens, requests } }: RunResult<string>): Cost {
  return { inputTokens, outputTokens, calls: requests };
}
