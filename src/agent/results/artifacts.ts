/** The parts of a tool result by their handles: what a model was not shown, found in the transcript. */
import { isObject } from '../../basics/json.ts';
import type { ModelMessage, ToolMessage } from '../../models/model.ts';
import { type Content, text } from '../../tools/content.ts';
import { artifactHandle } from '../../tools/render-content.ts';
import { dataText } from './reconcile.ts';

/** What a handle says: a part of the result of a call and, to read on, where to begin. */
export interface Handle {
  /** Of the call or, where results share an id, as `callRefs` has it. */
  readonly toolCallId: string;
  readonly index: number;
  /** Characters of the part. */
  readonly offset: number;
  /** To read on in nothing but what was not shown at first. */
  readonly onlyRest?: boolean;
}

/** Reads `call_1#0`, `call_1#0@1200` and `call_1#0@1200+`. */
export function readHandle(handle: string): Handle | undefined {
  const [, toolCallId, index, offset = '0', plus] =
    /^([\s\S]*)#(\d{1,9})(?:@(\d{1,15}))?(\+?)$/.exec(handle) ?? [];
  if (toolCallId === undefined) return undefined;
  const read = { toolCallId, index: Number(index), offset: Number(offset) };
  return plus === '+' ? { ...read, onlyRest: true } : read;
}

/** The handle that is read as this. */
export function printHandle({ toolCallId, index, offset, onlyRest }: Handle): string {
  const at = offset === 0 ? '' : `@${offset}`;
  return `${artifactHandle(toolCallId, index)}${at}${onlyRest === true ? '+' : ''}`;
}

/**
 * What handles call the results: the id of the call, and with a number (`call_0~2`) where an earlier result has that
 * already, for models that begin anew with their ids in each turn. Messages that are added later change none of them.
 */
export function callRefs(messages: readonly ModelMessage[]): ReadonlyMap<ToolMessage, string> {
  const refs = new Map<ToolMessage, string>();
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== 'tool' || refs.has(message)) continue;
    const { toolCallId } = message;
    let ref = toolCallId;
    while (taken.has(ref)) {
      const count = (counts.get(toolCallId) ?? 1) + 1;
      counts.set(toolCallId, count);
      ref = `${toolCallId}~${count}`;
    }
    taken.add(ref);
    refs.set(message, ref);
  }
  return refs;
}

/** The result that handles call so. */
export function findResult(messages: readonly ModelMessage[], ref: string): ToolMessage | undefined {
  for (const [message, own] of callRefs(messages)) if (own === ref) return message;
  return undefined;
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
 * model was not shown. Structured data is JSON as text. Where results share the id of their call, `call_1#0` is of the
 * first, and `call_1~2#0` of the second. `undefined` when the messages have no such part.
 */
export function findArtifact(messages: readonly ModelMessage[], handle: string): Content | undefined {
  const read = readHandle(handle);
  const message = read && findResult(messages, read.toolCallId);
  const part = message && partsOf(message)[read.index];
  return isObject(part) ? part : undefined;
}
