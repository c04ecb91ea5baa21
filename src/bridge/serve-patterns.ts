/** Patterns as tools: `consensus` and `react_loop`, for a server to offer. */
import { checkHas } from '../basics/option-checks.ts';
import type { Model } from '../models/model.ts';
import type { Budget } from '../patterns/budget.ts';
import { consensus } from '../patterns/consensus.ts';
import { demoTools } from '../patterns/demo-tools.ts';
import { reactLoop } from '../patterns/react.ts';
import type { Cost } from '../patterns/result.ts';
import type { PatternProgress } from '../patterns/trace.ts';
import { text } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import { type AnyTool, type Tool, type ToolAnnotations, type ToolResult, tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { type OnInternalFailure, reportOnStderr } from './operator-report.ts';
import { withOptionalNulls } from './optional-nulls.ts';
import { toToolError } from './pattern-failures.ts';
import { consensusInput, consensusOutput, reactInput, reactOutput } from './pattern-schemas.ts';

/** The patterns that can be served. */
export type ServedPattern = 'consensus' | 'react_loop';

export interface ServePatternsOptions {
  /** A model, or a function that makes one; it is asked at each call until it has given one. */
  readonly model: Model | (() => Model | Promise<Model>);
  /** Both by default. */
  readonly patterns?: readonly ServedPattern[] | undefined;
  /** What `react_loop` may use; a calculator and an echo by default. Callers can neither add nor choose tools. */
  readonly tools?: readonly AnyTool[] | undefined;
  /** Shared by all calls, for as long as the tools live. */
  readonly budget?: Budget | undefined;
  /** Gets what callers must not read, under the reference that they were given; `console.error` unless set. */
  readonly onError?: OnInternalFailure | undefined;
}

const annotations: ToolAnnotations = Object.freeze({ readOnlyHint: true, openWorldHint: true });

interface Setting {
  readonly getModel: () => Promise<Model>;
  readonly tools: readonly AnyTool[];
  readonly budget: Budget | undefined;
  readonly onError: OnInternalFailure;
}

/** Every pattern, in the order in which they are offered. */
const makers: Readonly<Record<ServedPattern, (setting: Setting) => Tool>> = {
  consensus: serveConsensus,
  react_loop: serveReact,
};

/** The tools to give to a `Server`. Throws a TypeError without a model, or for a pattern that does not exist. */
export function servePatterns(options: ServePatternsOptions): Tool[] {
  if (typeof options?.model !== 'function') {
    const wanted = 'a model, such as openai({ … }), or a function that makes one';
    checkHas('servePatterns', 'model', options?.model, 'respond', wanted);
  }
  const { model, tools = demoTools, budget, onError = reportOnStderr } = options;
  const patterns = options.patterns ?? (Object.keys(makers) as ServedPattern[]);
  const setting: Setting = { getModel: rememberModel(model), tools, budget, onError };
  return patterns.map(name => {
    if (!Object.hasOwn(makers, name)) {
      const known = Object.keys(makers).join(' and ');
      throw new TypeError(`servePatterns: there is no pattern ${JSON.stringify(name)}; there are ${known}`);
    }
    return makers[name](setting);
  });
}

function serveConsensus(setting: Setting): Tool {
  const { n: samples, strategy } = consensusInput.properties;
  return tool({
    name: 'consensus',
    title: 'Consensus',
    description:
      'Asks a language model the same question several times and returns the answer that most of them give, ' +
      'with the share that agrees. For questions with short, exact answers.',
    input: withOptionalNulls(consensusInput),
    output: consensusOutput,
    annotations,
    run: (args, ctx: ToolContext) =>
      answer(
        setting,
        { prompt: args.prompt, total: args.n ?? samples.default },
        ctx,
        async (model, watch) => {
          const { value, score, cost, evidence } = await consensus(model, args.prompt, {
            ...watch,
            samples: args.n ?? samples.default,
            strategy: args.strategy ?? strategy.default,
            temperature: args.temperature,
          });
          const { distinct, notes } = evidence;
          return {
            content: [text(describe(value, { agreement: score, 'distinct answers': distinct }, cost))],
            structuredContent: {
              answer: value,
              agreement: score,
              distinctAnswers: distinct,
              notes,
              usage: cost,
            },
          };
        },
      ),
  }) as Tool;
}

function serveReact(setting: Setting): Tool {
  const names = setting.tools.map(({ name }) => name).join(', ');
  return tool({
    name: 'react_loop',
    title: 'Reasoning loop with tools',
    description:
      'Lets a language model work on a task with tools, step by step, until it has an answer. ' +
      `Its tools are fixed by this server (${names}); callers cannot register or choose tools.`,
    input: withOptionalNulls(reactInput),
    output: reactOutput,
    annotations,
    run: (args, ctx: ToolContext) =>
      answer(setting, { prompt: args.prompt, total: roundsOf(args) }, ctx, async (model, watch) => {
        const { value, cost, evidence } = await reactLoop(model, args.prompt, {
          ...watch,
          tools: setting.tools,
          maxRounds: roundsOf(args),
        });
        const { rounds, toolCalls, notes } = evidence;
        return {
          content: [text(describe(value, { rounds, 'tool calls': toolCalls }, cost))],
          structuredContent: { answer: value, rounds, toolCalls, notes, usage: cost },
        };
      }),
  }) as Tool;
}

function roundsOf({ max_rounds: rounds }: { readonly max_rounds?: number | null | undefined }): number {
  return rounds ?? reactInput.properties.max_rounds.default;
}

interface Watch {
  readonly signal: AbortSignal;
  readonly budget: Budget | undefined;
  readonly onProgress: (progress: PatternProgress) => void;
}

/** What both tools share: arguments before the model, progress, and failures as the caller may read them. */
async function answer(
  { getModel, budget, onError }: Setting,
  { prompt, total }: { readonly prompt: string; readonly total: number },
  ctx: ToolContext,
  run: (model: Model, watch: Watch) => Promise<ToolResult>,
): Promise<ToolResult> {
  if (prompt.trim() === '') throw new ToolError('prompt must not be blank; say what to ask');
  try {
    const model = await getModel();
    // At once, so that callers see life; the last report may come in the same breath as the answer.
    ctx.progress(0, { total });
    return await run(model, {
      signal: ctx.signal,
      budget,
      onProgress: ({ done, total }) => ctx.progress(done, { total }),
    });
  } catch (error) {
    throw toToolError(error, onError);
  }
}

/** The answer as it is, a blank line, and a line for each fact: for people; programs read the structured content. */
function describe(value: string, facts: Readonly<Record<string, unknown>>, cost: Cost): string {
  const { inputTokens, outputTokens, calls } = cost;
  const lines = Object.entries(facts).map(([name, fact]) => `${name}: ${String(fact)}`);
  lines.push(`cost: ${inputTokens} input tokens, ${outputTokens} output tokens, ${calls} model calls`);
  return `${value}\n\n${lines.join('\n')}`;
}

/** Asks for the model until there is one, at most once at a time: configuration may come later than the start. */
function rememberModel(source: ServePatternsOptions['model']): () => Promise<Model> {
  if (typeof source !== 'function') return () => Promise.resolve(source);
  let pending: Promise<Model> | undefined;
  return () => {
    pending ??= (async () => await source())().catch((error: unknown) => {
      pending = undefined;
      throw error;
    });
    return pending;
  };
}
