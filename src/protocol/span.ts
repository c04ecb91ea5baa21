/** How one request is called in a trace: the names of the OpenTelemetry conventions for this protocol. */
import { printJson } from '../basics/json.ts';
import type { SpanAttributes, Tracer } from '../basics/trace.ts';
import type { Params } from '../rpc/message.ts';

/** What both ends know of the connection when a request begins. */
export interface SpanFacts {
  readonly revision?: string | undefined;
  readonly session?: string | undefined;
}

/** Name and attributes of the span of one request, the same on both ends. */
export function spanOf(
  method: string,
  params: Params,
  { revision, session }: SpanFacts = {},
): { readonly name: string; readonly attributes: SpanAttributes } {
  const { name, uri } = params;
  const attributes: Record<string, string> = { 'mcp.method.name': method };
  if (method === 'tools/call') attributes['gen_ai.operation.name'] = 'execute_tool';
  if (method === 'tools/call' && typeof name === 'string') attributes['gen_ai.tool.name'] = name;
  if (method === 'prompts/get' && typeof name === 'string') attributes['gen_ai.prompt.name'] = name;
  if (typeof uri === 'string') attributes['mcp.resource.uri'] = uri;
  if (revision !== undefined) attributes['mcp.protocol.version'] = revision;
  if (session !== undefined) attributes['mcp.session.id'] = session;
  const about = method === 'tools/call' || method === 'prompts/get' ? name : undefined;
  return { name: typeof about === 'string' ? `${method} ${about}` : method, attributes };
}

/** What the result of a request adds to its span; its content only when the tracer may have it. */
export function resultAttributes(
  method: string,
  params: Params,
  result: Params,
  tracer: Tracer | undefined,
): SpanAttributes {
  if (method !== 'tools/call') return {};
  const failed = result['isError'] === true;
  return {
    ...(failed ? { 'error.type': 'tool_error' } : {}),
    ...(tracer?.content === true ? contentOf(params, failed ? undefined : result) : {}),
  };
}

function contentOf(params: Params, result: Params | undefined): SpanAttributes {
  try {
    return {
      'gen_ai.tool.call.arguments': printJson(params['arguments'] ?? {}),
      ...(result === undefined ? {} : { 'gen_ai.tool.call.result': printJson(result) }),
    };
  } catch {
    // What JSON cannot hold fails where it is sent, with a message of its own.
    return {};
  }
}
