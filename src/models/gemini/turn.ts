/** A turn of the model as parts: word for word as it was sent where that is known, else built from the message; pure. */
import { isObject } from '../../basics/json.ts';
import type { Projection } from '../../projection/projection.ts';
import type { AssistantMessage, ToolCall } from '../model.ts';
import { readArguments } from '../provider/call-arguments.ts';
import { stillSays } from '../provider/still-says.ts';
import type { CallPart, ReplayedPart, RequestPart } from './request.ts';

/** First word of the model's name, and of replays that are ours. */
export const providerName = 'gemini';

/** A call that must be answered. */
export interface OpenCall {
  /** As in the conversation. */
  readonly callId: string;
  /** As in the request, where the call may have none. */
  readonly id?: string;
  readonly name: string;
}

export interface Turn {
  readonly parts: readonly RequestPart[];
  readonly calls: readonly OpenCall[];
}

export function toTurn(message: AssistantMessage, projection: Projection): Turn {
  return replayed(message, projection) ?? written(message, projection);
}

function written({ content, toolCalls = [] }: AssistantMessage, { aliasOf }: Projection): Turn {
  const calls = toolCalls.map(call => toOpenCall(call, call.id, aliasOf(call.name)));
  const parts = calls.map(({ callId: _, ...call }, index): CallPart => {
    const args = readArguments(toolCalls[index]?.arguments ?? '');
    return { functionCall: { ...call, args } };
  });
  return { parts: [{ text: content }, ...parts], calls };
}

/** `undefined` when there is no replay of ours, or the message no longer says or calls what is in it. */
function replayed(message: AssistantMessage, { aliasOf }: Projection): Turn | undefined {
  const { replay, toolCalls = [] } = message;
  // A history may come from a file.
  if (replay?.provider !== providerName || !Array.isArray(replay.items)) return undefined;
  if (!replay.items.every(isReplayedPart)) return undefined;
  const sent = replay.items.map(callIn).filter(call => call !== undefined);
  const calls = sent.map(({ name, args }) => ({ name: String(name), arguments: args ?? {} }));
  if (!stillSays({ text: replay.items.map(textIn).join(''), calls }, message, aliasOf)) return undefined;
  return {
    parts: replay.items,
    calls: toolCalls.map((call, at) => toOpenCall(call, sent[at]?.['id'], aliasOf(call.name))),
  };
}

function toOpenCall({ id: callId }: ToolCall, id: unknown, name: string): OpenCall {
  return { callId, name, ...(typeof id === 'string' && id !== '' ? { id } : {}) };
}

function isReplayedPart(item: unknown): item is ReplayedPart {
  return isObject(item) && Object.keys(item).length > 0;
}

function textIn(part: object): string {
  const isThought = 'thought' in part && part.thought === true;
  return 'text' in part && typeof part.text === 'string' && !isThought ? part.text : '';
}

function callIn(part: object): Readonly<Record<string, unknown>> | undefined {
  return 'functionCall' in part && isObject(part.functionCall) ? part.functionCall : undefined;
}
