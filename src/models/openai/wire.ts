/** Our requests as the JSON of chat completions; pure. What comes back is in `stream.ts`. */
import { type ChatTool, toChatTool } from '../../projection/openai-tools.ts';
import type { Projection } from '../../projection/projection.ts';
import { renderContent } from '../../tools/render-content.ts';
import type {
  AssistantMessage,
  ModelMessage,
  ModelRequest,
  ToolCall,
  ToolChoice,
  UserMessage,
} from '../model.ts';
import { argumentsText } from '../provider/call-arguments.ts';
import { type Binary, imageTypes, type Media, toMedia } from '../provider/media.ts';
import { type Naming, nameFor } from '../provider/naming.ts';
import { type OutputFormat, outputFormat } from '../provider/output-format.ts';
import type { Body, BodyDefaults } from '../provider/provider.ts';
import { samplingOf } from '../provider/sampling.ts';
import { markFailure } from '../provider/tool-text.ts';
import { fromReplay, longestCallId } from './replay.ts';

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' };
    }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } };

export interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | ChatPart[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: ChatCall[] };

/** The members that we write; `extra` may add any other. */
export interface ChatBody {
  readonly model: string;
  readonly messages: ChatMessage[];
  readonly tools?: ChatTool[];
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly type: 'function'; readonly function: { readonly name: string } };
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly response_format?: { readonly type: 'json_schema'; readonly json_schema: OutputFormat };
  readonly stream?: true;
  readonly stream_options?: { readonly include_usage: true };
}

/** The body of a request; members that nobody set are absent. */
export function toBody(
  request: ModelRequest,
  defaults: BodyDefaults,
  projection: Projection,
): Body & ChatBody {
  const { output, toolChoice } = request;
  const { tools } = projection;
  const format = output && outputFormat(output);
  const naming = nameFor(request.messages, projection, { longestCallId, fromReplay });
  const { temperature, maxTokens } = samplingOf(request, defaults);
  return {
    model: defaults.model,
    messages: request.messages.map(message => toMessage(message, naming)),
    ...(tools.length === 0 ? {} : { tools: tools.map(toChatTool) }),
    ...(tools.length === 0 || toolChoice === undefined
      ? {}
      : { tool_choice: toToolChoice(toolChoice, projection) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(format === undefined ? {} : { response_format: { type: 'json_schema', json_schema: format } }),
    ...(defaults.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    ...defaults.extra,
  };
}

function toToolChoice(choice: ToolChoice, { aliasOf }: Projection): NonNullable<ChatBody['tool_choice']> {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: aliasOf(choice.name) } };
}

function toMessage(message: ModelMessage, naming: Naming): ChatMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: toUserContent(message.content) };
    case 'tool': {
      const { toolCallId, content, isError } = message;
      // The endpoint reads nothing but text here.
      const text = renderContent(content, toolCallId);
      return { role: 'tool', tool_call_id: naming.idOf(toolCallId), content: markFailure(text, isError) };
    }
    default:
      return toTurn(message, naming);
  }
}

function toTurn(message: AssistantMessage, naming: Naming): ChatMessage {
  const { content, toolCalls = [] } = message;
  const extras = fromReplay(message, naming.aliasOf);
  if (toolCalls.length === 0) return { role: 'assistant', content, ...extras?.turn };
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    tool_calls: toolCalls.map((call, at) => ({ ...toCall(call, naming), ...extras?.calls[at] })),
    ...extras?.turn,
  };
}

/** Plain text wherever all of it is text: many servers read nothing else. */
function toUserContent(content: UserMessage['content']): string | ChatPart[] {
  if (typeof content === 'string') return content;
  const parts = content.map(block => toPart(toMedia(block, takes)));
  return parts.every(part => part.type === 'text') ? parts.map(({ text }) => text).join('\n') : parts;
}

const audioFormats: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

/** What the endpoint reads; servers that read less of it say so themselves. */
function takes({ kind, mimeType }: Binary): boolean {
  if (kind === 'audio') return Object.hasOwn(audioFormats, mimeType);
  return kind === 'image' ? imageTypes.has(mimeType) : mimeType === 'application/pdf';
}

function toPart(media: Media): ChatPart {
  if (media.kind === 'text') return { type: 'text', text: media.text };
  const { kind, mimeType, data, name } = media;
  const format = audioFormats[mimeType];
  if (kind === 'audio' && format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  const url = `data:${mimeType};base64,${data}`;
  return kind === 'image'
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: name, file_data: url } };
}

/** Some servers parse arguments again and fail the request over them. */
function toCall({ id, name, arguments: raw }: ToolCall, { aliasOf, idOf }: Naming): ChatCall {
  return { id: idOf(id), type: 'function', function: { name: aliasOf(name), arguments: argumentsText(raw) } };
}
