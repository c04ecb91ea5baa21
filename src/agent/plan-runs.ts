/** From the options of an agent to the plan of its runs, checked before anything is spent. */
import { systemClock } from '../basics/clock.ts';
import type { ToolChoice } from '../models/model.ts';
import type { Schema } from '../schema/schema.ts';
import type { AnyAgentOptions } from './agent-options.ts';
import { nobodyApproves } from './approval/approve-call.ts';
import { compile } from './calls/tool-registry.ts';
import { ToolSupply } from './calls/tool-supply.ts';
import { checkOptions } from './check-options.ts';
import type { OutputPlan } from './output/output.ts';
import { usualResultTokens } from './results/estimate-tokens.ts';
import type { RunPlan } from './run-plan.ts';

/** Throws a TypeError, or a TenonError about a schema, that names the option which is wrong. */
export function planRuns<Deps, S extends Schema | undefined, Output>(
  options: AnyAgentOptions<Deps, S, Output>,
): RunPlan<Deps> {
  const { model, limits = {}, onToolFailure = 'budget', clock = systemClock } = options;
  checkOptions(options);
  const defaults = { retries: options.toolRetries ?? 2, timeout: options.toolTimeout };
  const supply = new ToolSupply<Deps>(options.tools ?? [], defaults);
  const output = planOutput(options);
  const { temperature, maxTokens, tracer } = options;
  const tracing = tracer && { tracer, agent: options.name, model: model.name };
  const asksNatively = output?.mode === 'native' && output.schema !== undefined;
  const { approve, pause: pauses = false } = options;
  for (const { prepared } of supply.own.values()) {
    const { name, needsApproval = false } = prepared;
    if (needsApproval !== false && approve === undefined && !pauses) throw nobodyApproves(name);
  }
  return {
    name: options.name,
    model,
    supply,
    ...readChoice(options.toolChoice, supply),
    tools: {
      parallel: options.parallel ?? 8,
      onToolFailure,
      maxObservation: options.maxObservation ?? Number.POSITIVE_INFINITY,
      maxCallsPerTurn: options.maxCallsPerTurn ?? Number.POSITIVE_INFINITY,
      tidyArguments: options.tidyArguments ?? true,
      clock,
      tracing,
      approve,
      pauses,
    },
    output,
    limits,
    maxTurns: options.maxTurns ?? 10,
    maxResultTokens: options.maxResultTokens ?? (options.maxObservation ? Infinity : usualResultTokens),
    view: { trim: options.trim, summarize: options.summarize, known: new Map() },
    tracing,
    request: {
      ...(asksNatively ? { output: { name: 'output', schema: output.schema.json } } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    },
  };
}

function planOutput<Deps, S extends Schema | undefined, Output>(
  options: AnyAgentOptions<Deps, S, Output>,
): OutputPlan | undefined {
  const { output, decode, outputMode, outputRetries: retries = 2, toolChoice } = options;
  if (output === undefined && decode === undefined) return undefined;
  const schema = output === undefined ? undefined : compile(output, 'output');
  const mode = schema === undefined ? 'text' : (outputMode ?? 'native');
  if (mode === 'tool' && toolChoice === 'none') {
    throw new TypeError('Agent: toolChoice "none" forbids the output tool; set another outputMode');
  }
  // What `decode` takes is what the schema gives; the types of the options see to that.
  return { schema, mode, retries, decode: decode as OutputPlan['decode'] };
}

const modes: ReadonlySet<unknown> = new Set(['auto', 'none', 'required']);

function readChoice<Deps>(
  choice: string | { readonly name: string } | undefined,
  { own, sources }: ToolSupply<Deps>,
): Pick<RunPlan<Deps>, 'toolChoice' | 'onlyTool'> {
  if (choice === undefined) return { toolChoice: undefined, onlyTool: undefined };
  if (modes.has(choice)) return { toolChoice: choice as ToolChoice, onlyTool: undefined };
  const name: unknown = typeof choice === 'string' ? choice : choice?.name;
  if (typeof name !== 'string') {
    throw new TypeError(
      'Agent: toolChoice must be "auto", "none", "required", the name of a tool, or { name }',
    );
  }
  if (!own.has(name) && sources.length === 0) {
    throw new TypeError(`Agent: toolChoice "${name}" is none of its tools`);
  }
  return typeof choice === 'string'
    ? { toolChoice: undefined, onlyTool: name }
    : { toolChoice: { name }, onlyTool: undefined };
}
