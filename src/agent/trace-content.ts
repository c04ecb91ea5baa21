/** What was said, as attributes of a span; only for a tracer that may have it. */
import type { SpanAttributes } from '../basics/trace.ts';
import type { ModelResponse } from '../models/collect.ts';
import type { ModelMessage, ModelRequest, ToolCall } from '../models/model.ts';

/** A piece of a message in the form of the conventions. */
type MessagePart = Readonly<Record<string, unknown>>;

/** Instructions stand apart from the conversation. */
export function requestContent({ messages }: ModelRequest): SpanAttributes {
  const instructions = messages.filter(message => message.role === 'system');
  const said = messages.filter(message => message.role !== 'system');
  return {
    ...(instructions.length === 0
      ? {}
      : { 'gen_ai.system_instructions': JSON.stringify(instructions.flatMap(partsOf)) }),
    'gen_ai.input.messages': JSON.stringify(
      said.map(message => ({ role: message.role, parts: partsOf(message) })),
    ),
  };
}

export function responseContent({ text, reasoning, toolCalls, finish }: ModelResponse): SpanAttributes {
  const parts = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(text === '' ? [] : [textPart(text)]),
    ...toolCalls.map(callPart),
  ];
  return {
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts, finish_reason: finish }]),
  };
}

function partsOf(message: ModelMessage): readonly MessagePart[] {
  const { content } = message;
  if (message.role === 'tool') {
    return [{ type: 'tool_call_response', id: message.toolCallId, response: content }];
  }
  const said =
    typeof content === 'string' ? (content === '' ? [] : [textPart(content)]) : content.map(blockPart);
  return message.role === 'assistant' ? [...said, ...(message.toolCalls ?? []).map(callPart)] : said;
}

/** Bytes are named, never recorded. */
function blockPart(block: Readonly<Record<string, unknown>> | { readonly type: string }): MessagePart {
  const { type, text, mimeType } = block as Readonly<Record<string, unknown>>;
  return type === 'text'
    ? textPart(text)
    : { type, ...(mimeType === undefined ? {} : { mime_type: mimeType }) };
}

function textPart(content: unknown): MessagePart {
  return { type: 'text', content };
}

/** Arguments as data where they are JSON, as written where they are not. */
function callPart({ id, name, arguments: raw }: ToolCall): MessagePart {
  let args: unknown = raw;
  try {
    args = JSON.parse(raw);
  } catch {
    // As the model wrote it.
  }
  return { type: 'tool_call', id, name, arguments: args };
}
