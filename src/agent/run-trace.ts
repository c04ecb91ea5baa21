/** The spans of a run by the OpenTelemetry conventions for GenAI: the run, its requests to the model, its tool calls. */
import { type SpanAttributes, type TraceContext, type Tracer, traced } from '../basics/trace.ts';
import type { ModelResponse } from '../models/collect.ts';
import type { FinishReason, ModelRequest, ToolCall, Usage } from '../models/model.ts';
import { isRunError } from './errors.ts';
import { requestContent, responseContent } from './trace-content.ts';

/** Who is traced, and where. */
export interface RunTracing {
  readonly tracer: Tracer;
  /** What the agent is called, when it has a name. */
  readonly agent: string | undefined;
  /** `Model.name`. */
  readonly model: string;
}

type Passed = TraceContext | undefined;

/** The whole run; `parent` is what it was started in, when that is not what surrounds it. */
export async function traceRun<T extends { readonly usage: Usage }>(
  tracing: RunTracing | undefined,
  parent: Passed,
  work: (trace: Passed) => Promise<T>,
): Promise<T> {
  if (!tracing) return work(parent);
  const { tracer, agent, model } = tracing;
  const name = agent === undefined ? 'invoke_agent' : `invoke_agent ${agent}`;
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
    ...modelAttributes(model),
  };
  return traced(tracer, { name, attributes, parent }, async (trace, note) => {
    try {
      const result = await work(trace);
      note(usageAttributes(result.usage));
      return result;
    } catch (error) {
      if (isRunError(error)) note(usageAttributes(error.usage));
      throw error;
    }
  });
}

/** One request to the model, its retries included. */
export async function traceModel(
  tracing: RunTracing | undefined,
  parent: Passed,
  request: ModelRequest,
  work: () => Promise<ModelResponse>,
): Promise<ModelResponse> {
  if (!tracing) return work();
  const { tracer, agent, model } = tracing;
  const { temperature, maxTokens, output } = request;
  const about = modelAttributes(model);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    ...about,
    ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
    ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(maxTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxTokens }),
    ...(output === undefined ? {} : { 'gen_ai.output.type': 'json' }),
    ...(tracer.content === true ? requestContent(request) : {}),
  };
  const name = `chat ${about['gen_ai.request.model']}`;
  return traced(tracer, { name, attributes, parent, kind: 'client' }, async (_trace, note) => {
    const response = await work();
    note({
      ...usageAttributes(response.usage),
      'gen_ai.response.finish_reasons': [finishReasons[response.finish]],
      ...(tracer.content === true ? responseContent(response) : {}),
    });
    return response;
  });
}

/** What came of a tool call, as far as its span tells it. */
interface Told {
  readonly content: unknown;
  readonly failure?: { readonly error: unknown } | undefined;
}

/** One call of a tool; a failure that the model reads is one of the span too. */
export async function traceTool<T extends Told>(
  tracing: RunTracing | undefined,
  parent: Passed,
  call: ToolCall,
  work: (trace: Passed) => Promise<T>,
): Promise<T> {
  if (!tracing) return work(parent);
  const { tracer } = tracing;
  const content = tracer.content === true;
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.type': 'function',
    ...(content ? { 'gen_ai.tool.call.arguments': call.arguments } : {}),
  };
  return traced(tracer, { name: `execute_tool ${call.name}`, attributes, parent }, async (trace, note) => {
    const outcome = await work(trace);
    if (outcome.failure) note({ 'error.type': 'tool_error' });
    else if (content) note({ 'gen_ai.tool.call.result': textOf(outcome.content) });
    return outcome;
  });
}

/** A model names itself `provider:model`; one without a provider is its own. */
function modelAttributes(name: string): { 'gen_ai.provider.name': string; 'gen_ai.request.model': string } {
  const at = name.indexOf(':');
  const provider = at === -1 ? name : name.slice(0, at);
  return {
    'gen_ai.provider.name': providers[provider] ?? provider,
    'gen_ai.request.model': at === -1 ? name : name.slice(at + 1),
  };
}

/** Where the conventions have another word than we. */
const providers: Readonly<Record<string, string | undefined>> = {
  gemini: 'gcp.gemini',
  'openai-responses': 'openai',
};

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  refusal: 'content_filter',
  other: 'other',
};

function usageAttributes(usage: Usage): SpanAttributes {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    ...(cachedInputTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoningTokens }),
  };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
