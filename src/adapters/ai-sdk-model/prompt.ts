/** Our messages as a prompt of the AI SDK; pure. */
import { isObject, parseJson } from '../../basics/json.ts';
import type {
  AssistantMessage,
  ModelMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from '../../models/model.ts';
import { toMedia } from '../../models/provider/media.ts';
import type { Projection } from '../../projection/projection.ts';
import type { Content } from '../../tools/content.ts';
import { type SdkVersion, toModelOutput } from '../ai-sdk/results.ts';
import type { SdkPart } from './language-model.ts';

export interface PromptFacts {
  readonly version: SdkVersion;
  /** Whose replays are sent back word for word. */
  readonly provider: string;
  readonly projection: Projection;
  readonly shows: (mimeType: string) => boolean;
}

export interface SdkMessage {
  readonly role: ModelMessage['role'];
  readonly content: string | readonly SdkPart[];
}

/** The results of one turn are one message. */
export function toPrompt(messages: readonly ModelMessage[], facts: PromptFacts): readonly SdkMessage[] {
  const prompt: SdkMessage[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') {
      prompt.push(toMessage(message, facts));
      continue;
    }
    const last = prompt.at(-1);
    const results = [toResult(message, facts)];
    if (last?.role === 'tool') prompt[prompt.length - 1] = joined(last, results);
    else prompt.push({ role: 'tool', content: results });
  }
  return prompt;
}

function joined(message: SdkMessage, results: readonly SdkPart[]): SdkMessage {
  const { role, content } = message;
  return { role, content: [...(typeof content === 'string' ? [] : content), ...results] };
}

function toMessage(message: Exclude<ModelMessage, ToolMessage>, facts: PromptFacts): SdkMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: toUserParts(message.content, facts) };
    default:
      return { role: 'assistant', content: toAssistantParts(message, facts) };
  }
}

function toUserParts(content: UserMessage['content'], facts: PromptFacts): readonly SdkPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map(block => toUserPart(block, facts));
}

/** A block that is not what it says it is becomes text: it would fail every later request of the conversation. */
function toUserPart(block: Content, { version }: PromptFacts): SdkPart {
  const media = toMedia(withType(block), () => true);
  if (media.kind === 'text') return { type: 'text', text: media.text };
  const file = toFile(version, media.mimeType, media.data);
  return block.type === 'resource' ? { ...file, filename: block.resource.uri } : file;
}

/** A file may be of any type. */
function withType(block: Content): Content {
  if (block.type !== 'resource' || block.resource.mimeType !== undefined) return block;
  return { ...block, resource: { ...block.resource, mimeType: 'application/octet-stream' } };
}

function toFile(version: SdkVersion, mediaType: string, data: string): SdkPart {
  return { type: 'file', mediaType, data: version === 7 ? { type: 'data', data } : data };
}

function toAssistantParts(message: AssistantMessage, facts: PromptFacts): readonly SdkPart[] {
  const { content, toolCalls = [], replay } = message;
  if (replay?.provider === facts.provider && answersTo(replay.items, toolCalls)) {
    return replay.items as readonly SdkPart[];
  }
  return [
    ...(content === '' ? [] : [{ type: 'text', text: content }]),
    ...toolCalls.map(({ id, name, arguments: raw }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: facts.projection.aliasOf(name),
      input: toInput(raw),
    })),
  ];
}

/** Whether a turn as it was still has the calls that the results belong to; ids may have been made unique since. */
function answersTo(items: readonly unknown[], calls: readonly ToolCall[]): boolean {
  const ids = items.flatMap(item =>
    isObject(item) && item['type'] === 'tool-call' && item['providerExecuted'] !== true
      ? [item['toolCallId']]
      : [],
  );
  return ids.length === calls.length && calls.every(({ id }, index) => ids[index] === id);
}

function toResult(message: ToolMessage, { version, projection, shows }: PromptFacts): SdkPart {
  const { toolCallId, toolName, content, isError = false } = message;
  const blocks: readonly Content[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const output = toModelOutput({ content: blocks, isError }, toolCallId, shows, version);
  return { type: 'tool-result', toolCallId, toolName: projection.aliasOf(toolName), output };
}

/** An object, whatever the model wrote: providers print it again. */
export function toInput(raw: string): unknown {
  if (raw.trim() === '') return {};
  const parsed = parseJson(raw);
  return parsed.ok && isObject(parsed.value) ? parsed.value : { malformed: raw };
}
