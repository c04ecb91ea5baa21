/** Our requests as the JSON of chat completions; pure. What comes back is in `stream.ts`. */
import { isObject, parseJson } from '../../basics/json.ts';
import type { Content } from '../../tools/content.ts';
import { renderBlock, renderContent } from '../../tools/render-content.ts';
import type { ModelMessage, ModelRequest, ToolCall, UserMessage } from '../model.ts';

/** What goes with every request unless the request says otherwise. */
export interface BodyDefaults {
  readonly model: string;
  readonly stream: boolean;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

export type Body = Readonly<Record<string, unknown>>;

/** The body of a request; members that nobody set are absent. */
export function toBody(request: ModelRequest, defaults: BodyDefaults): Body {
  const { tools = [], output } = request;
  const temperature = request.temperature ?? defaults.temperature;
  const maxTokens = request.maxTokens ?? defaults.maxTokens;
  return {
    model: defaults.model,
    messages: request.messages.map(toMessage),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map(tool => ({ type: 'function', function: { ...tool } })) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(output === undefined ? {} : { response_format: toResponseFormat(output) }),
    ...(defaults.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...defaults.extra,
  };
}

function toMessage(message: ModelMessage): Body {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: toUserContent(message.content) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: renderContent(message.content) };
    default: {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map(toCall),
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

function toCall({ id, name, arguments: raw }: ToolCall): Body {
  return { id, type: 'function', function: { name, arguments: toArguments(raw) } };
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
