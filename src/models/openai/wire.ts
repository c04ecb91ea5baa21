/** Our requests as the JSON of chat completions; pure. What comes back is in `stream.ts`. */
import { isObject, parseJson } from '../../basics/json.ts';
import type { Projection } from '../../projection/projection.ts';
import type { Content } from '../../tools/content.ts';
import { renderBlock, renderContent } from '../../tools/render-content.ts';
import type { ModelMessage, ModelRequest, ToolCall, ToolChoice, UserMessage } from '../model.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';

/** The body of a request; members that nobody set are absent. */
export function toBody(request: ModelRequest, defaults: BodyDefaults, projection: Projection): Body {
  const { output, toolChoice } = request;
  const { tools } = projection;
  const temperature = request.temperature ?? defaults.temperature;
  const maxTokens = request.maxTokens ?? defaults.maxTokens;
  return {
    model: defaults.model,
    messages: request.messages.map(message => toMessage(message, projection)),
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    ...(tools.length === 0 || toolChoice === undefined
      ? {}
      : { tool_choice: toToolChoice(toolChoice, projection) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(output === undefined ? {} : { response_format: toResponseFormat(output) }),
    ...(defaults.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...defaults.extra,
  };
}

function toTool({ name, description, parameters, strict }: Projection['tools'][number]): Body {
  return { type: 'function', function: { name, description, parameters, ...(strict ? { strict } : {}) } };
}

function toToolChoice(choice: ToolChoice, { aliasOf }: Projection): Body | string {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: aliasOf(choice.name) } };
}

function toMessage(message: ModelMessage, projection: Projection): Body {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: toUserContent(message.content) };
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: renderContent(message.content, message.toolCallId),
      };
    default: {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map(call => toCall(call, projection)),
      };
    }
  }
}

/** Plain text wherever there are no pictures: many servers read nothing else. */
function toUserContent(content: UserMessage['content']): string | readonly Body[] {
  if (typeof content === 'string' || !content.some(block => block.type === 'image')) {
    return renderContent(content);
  }
  return content.map(toPart);
}

function toPart(block: Content): Body {
  if (block.type !== 'image') return { type: 'text', text: renderBlock(block) };
  return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
}

function toCall({ id, name, arguments: raw }: ToolCall, { aliasOf }: Projection): Body {
  return { id, type: 'function', function: { name: aliasOf(name), arguments: toArguments(raw) } };
}

/** An object as text, whatever the model wrote: some servers parse these again and fail the request over them. */
function toArguments(raw: string): string {
  if (raw.trim() === '') return '{}';
  const parsed = parseJson(raw);
  return parsed.ok && isObject(parsed.value) ? raw : JSON.stringify({ malformed: raw });
}

function toResponseFormat({ name, schema }: NonNullable<ModelRequest['output']>): Body {
  return { type: 'json_schema', json_schema: { name, schema, strict: isStrict(schema) } };
}

/** Whether every object in it forbids other members and requires all of its own, as strict mode demands. */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { type, properties, required, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  if (type === 'object' || properties !== undefined) {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const all = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every(name => all.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
