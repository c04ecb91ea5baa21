/** Makes of a checked configuration the tools that a server offers: patterns and agents within the operator's bounds. */
import { Agent } from '../../agent/agent.ts';
import type { Clock } from '../../basics/clock.ts';
import { notify } from '../../basics/notify.ts';
import type { Model } from '../../models/model.ts';
import { meterModel } from '../../patterns/asking/meter.ts';
import { Budget } from '../../patterns/budget/budget.ts';
import { noCost } from '../../patterns/contract/result.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Tool } from '../../tools/tool.ts';
import { isToolError, ToolError } from '../../tools/tool-error.ts';
import type { ToolSource } from '../../tools/tool-source.ts';
import { type OnInternalFailure, reportOnStderr } from '../serving/operator-report.ts';
import { type ServedPattern, servedPatterns } from '../serving/pattern-bounds.ts';
import { budgetOf, type PatternSetting, rememberModel, spendingOf } from '../serving/pattern-call.ts';
import { toToolError } from '../serving/pattern-failures.ts';
import { PausedRuns, type PausedRunsOptions } from '../serving/paused-runs.ts';
import type { ServedAgent } from '../serving/resumable-run.ts';
import { serveRuns } from '../serving/serve-agent.ts';
import { makePatterns } from '../serving/serve-patterns.ts';
import { servePipe } from '../serving/serve-pipe.ts';
import type { ServedObserver } from '../serving/served-events.ts';
import { AllowedTools, type AllowedToolsFacts } from './allowed-tools.ts';
import type { ConfiguredAgent, ModelEntry, ServedConfig } from './config.ts';
import { depthOf } from './serving-depth.ts';

export interface BuildServedOptions extends Omit<AllowedToolsFacts, 'config'> {
  /** Makes a model of its entry, when it is first needed; of nothing where the configuration names none. */
  readonly model: (entry: ModelEntry | undefined) => Model | Promise<Model>;
  /** Where runs wait that ask for approval. */
  readonly waiting?: PausedRunsOptions | undefined;
  /** Gets what callers must not read, under the reference that they were given; `console.error` unless set. */
  readonly onError?: OnInternalFailure | undefined;
  /** Watches each call; answers, arguments and results are shown in full. */
  readonly observe?: ServedObserver | undefined;
  readonly clock?: Clock | undefined;
}

/** What is served. */
export interface Served {
  /** For `new Server({ tools })`. */
  readonly tools: readonly Tool[];
  /** Ends the connections to the servers that were used. Never rejects. */
  close(): Promise<void>;
}

/** Nothing is connected and no model is made before a call needs it. */
export function buildServed(config: ServedConfig, options: BuildServedOptions): Served {
  const { onError = reportOnStderr, clock, waiting, observe } = options;
  const allowed = new AllowedTools({ ...options, config });
  const { call: callBudget, process: limits } = config.budgets;
  const shared: Shared = {
    allowed,
    onError,
    models: makeModels(config, options),
    budget: limits && new Budget(limits, clock),
    callBudget,
    paused: new PausedRuns(waiting),
    observe,
  };
  const patterns = servedPatterns.flatMap(name => buildPattern(name, config, shared));
  const agents = Object.entries(config.agents).map(([name, agent]) => buildAgent(name, agent, shared));
  const pipes = Object.entries(config.pipes).map(([name, bounds]) => {
    const { model, ...own } = bounds;
    return servePipe({ ...shared, getModel: shared.models(model), ...noTools }, name, own);
  });
  return { tools: [...patterns, ...agents, ...pipes], close: () => allowed.close() };
}

const noTools: Pick<PatternSetting, 'getTools' | 'toolNames'> = {
  getTools: async () => [],
  toolNames: 'none',
};

interface Shared extends Pick<PatternSetting, 'budget' | 'callBudget' | 'onError' | 'paused' | 'observe'> {
  readonly allowed: AllowedTools;
  readonly models: (name: string | undefined) => () => Promise<Model>;
}

/** The same model for all that name it. */
function makeModels(
  { models }: ServedConfig,
  { model }: BuildServedOptions,
): (name: string | undefined) => () => Promise<Model> {
  const made = new Map<string | undefined, () => Promise<Model>>();
  return name => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const entry = name !== undefined && Object.hasOwn(models, name) ? models[name] : undefined;
    const getModel = rememberModel(async () => model(entry));
    made.set(name, getModel);
    return getModel;
  };
}

function buildPattern(name: ServedPattern, { patterns }: ServedConfig, shared: Shared): readonly Tool[] {
  const bounds = patterns[name];
  if (bounds === undefined) return [];
  const { model, tools, ...own } = bounds as typeof bounds & { readonly tools?: readonly string[] };
  const source = shared.allowed.for(tools);
  const setting: PatternSetting = {
    ...shared,
    getModel: shared.models(model),
    getTools: async ctx => findTools(source(depthOf(ctx.client)), ctx, shared.onError),
    toolNames: shared.allowed.describe(tools),
  };
  return makePatterns(setting, new Map([[name, own]]));
}

function buildAgent(name: string, configured: ConfiguredAgent, shared: Shared): Tool {
  const { description, title, instructions, output, maxTurns, maxTokens, maxPrompt, tools } = configured;
  const { callBudget = shared.callBudget } = configured;
  const source = shared.allowed.for(tools);
  const getModel = shared.models(configured.model);
  return serveRuns<unknown>({
    name,
    description,
    title,
    output,
    maxPrompt,
    paused: shared.paused,
    onError: shared.onError,
    observe: shared.observe,
    async getRun(ctx) {
      notify(shared.observe, spendingOf(shared, { callBudget }), ctx);
      const found = source(depthOf(ctx.client));
      await findTools(found, ctx, shared.onError);
      const model = await getModel().catch((error: unknown) => {
        throw toToolError(error, shared.onError);
      });
      const budget = budgetOf(shared, { callBudget });
      const agent = new Agent({
        name,
        model: meterModel(model, budget, {}).model,
        tools: found,
        pause: true,
        onToolFailure: 'observe',
        maxObservation: 12_000,
        maxCallsPerTurn: 32,
        toolTimeout: 30_000,
        instructions,
        maxTurns,
        maxTokens,
        output,
      });
      return {
        agent: agent as unknown as ServedAgent<unknown>,
        budget: budget === shared.budget ? undefined : budget,
      };
    },
  });
}

/** The tools as they are now. Rejects with a ToolError that says nothing of the servers, whose faults are the operator's. */
async function findTools(
  source: ToolSource,
  { signal }: ToolContext,
  onError: OnInternalFailure,
): ReturnType<ToolSource['tools']> {
  try {
    return await source.tools({ signal });
  } catch (error) {
    if (isToolError(error) || signal.aborted) throw error;
    const reference = crypto.randomUUID();
    onError(reference, error);
    const message = `the servers whose tools it uses cannot be reached; try again later; reference ${reference}`;
    const data = { kind: 'unreachable', retryable: true, cost: noCost, reference };
    throw new ToolError(message, { data, cause: error });
  }
}
