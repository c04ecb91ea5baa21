/** What the calls of all served patterns have in common: the model, the budget, progress, and failures in words. */
import { notify } from '../../basics/notify.ts';
import type { Model } from '../../models/model.ts';
import { Budget, type BudgetLimits } from '../../patterns/budget/budget.ts';
import type { Cost } from '../../patterns/contract/result.ts';
import type { PatternProgress, TraceEvent } from '../../patterns/contract/trace.ts';
import { text } from '../../tools/content.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { NeedInput } from '../../tools/need-input.ts';
import type { AnyTool, ToolAnnotations, ToolResult } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { OnInternalFailure } from './operator-report.ts';
import type { CommonBounds } from './pattern-bounds.ts';
import { toToolError } from './pattern-failures.ts';
import type { PausedRuns } from './paused-runs.ts';
import type { ServedObserver, SpendingEvent } from './served-events.ts';

/** A model, or a function that makes one; it is asked at each call until it has given one. */
export type ModelSource = Model | (() => Model | Promise<Model>);

/** What all patterns of a server share. */
export interface PatternSetting {
  readonly getModel: () => Promise<Model>;
  /** What `react_loop` may use, for this call. */
  readonly getTools: (ctx: ToolContext) => Promise<readonly AnyTool[]>;
  /** What models read about these tools before any call. */
  readonly toolNames: string;
  readonly budget: Budget | undefined;
  readonly callBudget: BudgetLimits | undefined;
  readonly onError: OnInternalFailure;
  readonly paused: PausedRuns;
  readonly observe?: ServedObserver | undefined;
}

/** Patterns change nothing of their own; what their tools do is the operator's to know. */
export const patternAnnotations: ToolAnnotations = Object.freeze({ readOnlyHint: true, openWorldHint: true });

/** What a pattern is given to run with. */
export interface PatternWatch {
  readonly signal: AbortSignal;
  readonly budget: Budget | undefined;
  readonly maxTokens: number | undefined;
  readonly onProgress: (progress: PatternProgress) => void;
  readonly onTrace: ((event: TraceEvent) => void) | undefined;
  readonly traceContent: true;
}

export interface PatternCall {
  readonly prompt: string;
  /** Of the steps that progress counts. */
  readonly total: number;
  readonly bounds: CommonBounds;
}

/** Arguments before the model, progress, and failures as the caller may read them. */
export async function runPattern<Result extends ToolResult | NeedInput>(
  setting: PatternSetting,
  { prompt, total, bounds }: PatternCall,
  ctx: ToolContext,
  run: (model: Model, watch: PatternWatch) => Promise<Result>,
): Promise<Result> {
  if (prompt.trim() === '') throw new ToolError('prompt must not be blank; say what to ask');
  const { observe } = setting;
  try {
    const model = await setting.getModel();
    // At once, so that callers see life; the last report may come in the same breath as the answer. Not when it goes on.
    if (ctx.memo === undefined) ctx.progress(0, { total });
    notify(observe, spendingOf(setting, bounds), ctx);
    return await run(model, {
      signal: ctx.signal,
      budget: budgetOf(setting, bounds),
      maxTokens: bounds.maxTokens,
      onProgress: ({ done, total: most }) => ctx.progress(done, { total: most }),
      onTrace: observe && (event => notify(observe, event, ctx)),
      traceContent: true,
    });
  } catch (error) {
    notify(observe, { type: 'failure', error }, ctx);
    throw toToolError(error, setting.onError);
  }
}

/** What is told of the budgets of a call. */
export function spendingOf(
  { budget, callBudget }: Pick<PatternSetting, 'budget' | 'callBudget'>,
  { callBudget: call = callBudget }: Pick<CommonBounds, 'callBudget'>,
): SpendingEvent {
  return {
    type: 'budget',
    ...(call === undefined ? {} : { call }),
    ...(budget === undefined ? {} : { process: { limits: budget.limits, spent: budget.spent } }),
  };
}

/** That of the call within that of the process. */
export function budgetOf(
  { budget, callBudget }: Pick<PatternSetting, 'budget' | 'callBudget'>,
  { callBudget: own = callBudget }: Pick<CommonBounds, 'callBudget'>,
): Budget | undefined {
  if (own === undefined) return budget;
  return budget === undefined ? new Budget(own) : budget.child(own);
}

/** The answer as it is, a blank line, and a line for each fact: for people; programs read the structured content. */
export function describeResult(
  value: string,
  facts: Readonly<Record<string, unknown>>,
  cost: Cost,
): ToolResult {
  const { inputTokens, outputTokens, calls } = cost;
  const lines = Object.entries(facts).map(([name, fact]) => `${name}: ${String(fact)}`);
  lines.push(`cost: ${inputTokens} input tokens, ${outputTokens} output tokens, ${calls} model calls`);
  return { content: [text(`${value}\n\n${lines.join('\n')}`)] };
}

/** Asks for the model until there is one, at most once at a time: configuration may come later than the start. */
export function rememberModel(source: ModelSource): () => Promise<Model> {
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
