/** How one request is called in a trace: the names of the OpenTelemetry conventions for this protocol. */
import type { SpanAttributes } from '../basics/trace.ts';
import type { Params } from '../rpc/message.ts';

/** Name and attributes of the span of one request, the same on both ends. */
export function spanOf(
  method: string,
  params: Params,
): { readonly name: string; readonly attributes: SpanAttributes } {
  const { name, uri } = params;
  const attributes: Record<string, string> = { 'mcp.method.name': method };
  if (method === 'tools/call' && typeof name === 'string') attributes['gen_ai.tool.name'] = name;
  if (method === 'prompts/get' && typeof name === 'string') attributes['gen_ai.prompt.name'] = name;
  if (typeof uri === 'string') attributes['mcp.resource.uri'] = uri;
  const about = method === 'tools/call' || method === 'prompts/get' ? name : undefined;
  return { name: typeof about === 'string' ? `${method} ${about}` : method, attributes };
}
