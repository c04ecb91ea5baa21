/** The parts of a tool result by their handles: what a model was not shown, found in the transcript. */
import { isObject } from '../basics/json.ts';
import type { ModelMessage, ToolMessage } from '../models/model.ts';
import { type Content, text } from '../tools/content.ts';
import { dataText } from './reconcile.ts';

/** What a handle says: a part of the result of a call and, to read on, the character to begin at. */
export interface Handle {
  readonly toolCallId: string;
  readonly index: number;
  readonly offset: number;
}

/** Reads `call_1#0` and `call_1#0@1200`. */
export function readHandle(handle: string): Handle | undefined {
  const [, toolCallId, index, offset = '0'] = /^([\s\S]*)#(\d{1,9})(?:@(\d{1,15}))?$/.exec(handle) ?? [];
  if (toolCallId === undefined) return undefined;
  return { toolCallId, index: Number(index), offset: Number(offset) };
}

/** The result of that call; of several that share the id, the last. */
export function findResult(messages: readonly ModelMessage[], toolCallId: string): ToolMessage | undefined {
  return messages.findLast(
    (message): message is ToolMessage => message.role === 'tool' && message.toolCallId === toolCallId,
  );
}

/** All parts of a result by their numbers; structured data stands behind the blocks, as JSON. */
export function partsOf(message: ToolMessage): readonly Content[] {
  const { content } = message;
  const blocks = typeof content === 'string' ? (content === '' ? [] : [text(content)]) : content;
  const json = dataText(message.structuredContent);
  return json === undefined ? blocks : [...blocks, text(json)];
}

/**
 * What a handle such as `call_1#0` names, whole and as the tool gave it; for a host that wants to show or store what a
 * model was not shown. Structured data is JSON as text. `undefined` when the messages have no such part.
 */
export function findArtifact(messages: readonly ModelMessage[], handle: string): Content | undefined {
  const read = readHandle(handle);
  const message = read && findResult(messages, read.toolCallId);
  const part = message && partsOf(message)[read.index];
  return isObject(part) ? part : undefined;
}
