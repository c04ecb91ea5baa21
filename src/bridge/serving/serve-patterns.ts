/** Patterns as tools, opt-in one by one and within the operator's bounds, for a server to offer. */
import { checkHas } from '../../basics/option-checks.ts';
import type { Budget, BudgetLimits } from '../../patterns/budget/budget.ts';
import { demoTools } from '../../patterns/demo-tools/demo-tools.ts';
import type { AnyTool, Tool } from '../../tools/tool.ts';
import { isToolSource, type ToolSource } from '../../tools/tool-source.ts';
import { type OnInternalFailure, reportOnStderr } from './operator-report.ts';
import { type PatternBounds, readBounds, type ServedPattern, servedPatterns } from './pattern-bounds.ts';
import { type ModelSource, type PatternSetting, rememberModel } from './pattern-call.ts';
import { PausedRuns, type PausedRunsOptions } from './paused-runs.ts';
import { serveConsensus } from './serve-consensus.ts';
import { serveMapReduce } from './serve-map-reduce.ts';
import { serveReact } from './serve-react.ts';
import { serveRefine } from './serve-refine.ts';
import { serveStructured } from './serve-structured.ts';
import type { ServedObserver } from './served-events.ts';

export interface ServePatternsOptions {
  /** A model, or a function that makes one; it is asked at each call until it has given one. */
  readonly model: ModelSource;
  /** Names, or bounds by name; `consensus` and `react_loop` unless set. */
  readonly patterns?: readonly ServedPattern[] | PatternBounds | undefined;
  /**
   * What `react_loop` may use, a list or a source such as a toolset; a calculator and an echo by default. Callers can
   * neither add nor choose tools. Those that need approval are asked about at the caller.
   */
  readonly tools?: readonly AnyTool[] | ToolSource | undefined;
  /** Shared by all calls, for as long as the tools live. */
  readonly budget?: Budget | undefined;
  /** Most that one call may spend, where a pattern's bounds do not say. */
  readonly callBudget?: BudgetLimits | undefined;
  /** Where runs wait that ask for approval. */
  readonly waiting?: PausedRunsOptions | undefined;
  /** Gets what callers must not read, under the reference that they were given; `console.error` unless set. */
  readonly onError?: OnInternalFailure | undefined;
  /** Watches each call; answers, arguments and results are shown in full. */
  readonly observe?: ServedObserver | undefined;
}

type Bounds = PatternBounds[ServedPattern] & object;

// Bounds were read under the name of the very pattern that they are given to.
const makers: Readonly<Record<ServedPattern, (setting: PatternSetting, bounds: never) => Tool>> = {
  consensus: serveConsensus,
  react_loop: serveReact,
  refine: serveRefine,
  structured: serveStructured,
  map_reduce: serveMapReduce,
};

/**
 * The tools to give to a `Server`. Throws a TypeError without a model, for a pattern that does not exist, and for bounds
 * that cannot be used.
 */
export function servePatterns(options: ServePatternsOptions): Tool[] {
  if (typeof options?.model !== 'function') {
    const wanted = 'a model, such as openai({ … }), or a function that makes one';
    checkHas('servePatterns', 'model', options?.model, 'respond', wanted);
  }
  const { model, tools = demoTools, patterns = ['consensus', 'react_loop'], budget, callBudget } = options;
  const wanted = readBounds('servePatterns', patterns);
  const list = isToolSource(tools) ? undefined : tools;
  const setting: PatternSetting = {
    getModel: rememberModel(model),
    getTools: async ({ signal }) => list ?? (tools as ToolSource).tools({ signal }),
    toolNames: list?.map(({ name }) => name).join(', ') ?? 'those of other servers that it allows',
    budget,
    callBudget,
    onError: options.onError ?? reportOnStderr,
    paused: new PausedRuns(options.waiting),
    observe: options.observe,
  };
  return makePatterns(setting, wanted);
}

/** One tool for each pattern with bounds, always in the same order. */
export function makePatterns(setting: PatternSetting, wanted: ReadonlyMap<ServedPattern, Bounds>): Tool[] {
  return servedPatterns.flatMap(name => {
    const bounds = wanted.get(name);
    return bounds === undefined ? [] : [makers[name](setting, bounds as never)];
  });
}
