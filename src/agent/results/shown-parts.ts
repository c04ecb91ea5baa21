/** The parts of a tool result that are meant for the model, each with its number and its likely cost. */
import { isObject } from '../../basics/json.ts';
import type { ToolMessage } from '../../models/model.ts';
import { type Content, isContent, text } from '../../tools/content.ts';
import { artifactHandle, renderBlock } from '../../tools/render-content.ts';
import { partsOf } from './artifacts.ts';
import { estimateBlock, isMedia } from './estimate-tokens.ts';
import { dataText, saysData } from './reconcile.ts';

export interface Part {
  /** Its place in the whole result, which handles name. */
  readonly index: number;
  readonly block: Content;
  /** What it says as text; nothing for pictures, recordings and files. */
  readonly text: string | undefined;
  readonly tokens: number;
  /** From 0 to 1; in the middle unless the tool says. */
  readonly priority: number;
}

/**
 * In order. Left out is what names its audience and not the assistant, and structured data that the text says already.
 * A block of a kind that nobody knows, or without what its kind must have, is a line that names it. `ref` is what
 * handles call the result.
 */
export function shownParts(message: ToolMessage, ref: string = message.toolCallId): readonly Part[] {
  const all = partsOf(message);
  const json = dataText(message.structuredContent);
  const parts = all.flatMap((block, index) => {
    const isData = json !== undefined && index === all.length - 1;
    return isData || !isForModel(block) ? [] : [toPart(block, index, ref)];
  });
  if (json === undefined) return parts;
  const said = saysData(
    parts.map(part => part.block),
    message.structuredContent,
    json,
  );
  return said ? parts : [...parts, toPart(text(json), all.length - 1, ref)];
}

function toPart(given: Content, index: number, ref: string): Part {
  const block = isSound(given) ? given : readable(given, artifactHandle(ref, index));
  const priority: unknown = given.annotations?.priority;
  return {
    index,
    block,
    text: isMedia(block) ? undefined : renderBlock(block),
    tokens: estimateBlock(block),
    priority: typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : 0.5,
  };
}

/** Whether it has what those read who are given blocks: peers send all kinds of things. */
function isSound(block: Content): boolean {
  if (!isContent(block)) return false;
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string';
    case 'image':
    case 'audio':
      return typeof block.data === 'string' && isTextOrNone(block.mimeType);
    case 'resource_link':
      return typeof block.uri === 'string' && typeof block.name === 'string';
    case 'resource': {
      const resource: unknown = block.resource;
      if (!isObject(resource) || typeof resource['uri'] !== 'string') return false;
      const { text, blob, mimeType } = resource;
      return (typeof text === 'string' || typeof blob === 'string') && isTextOrNone(mimeType);
    }
  }
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function readable(block: Content, handle: string): Content {
  const said = renderBlock(block, handle);
  return isContent(block) && block.type === 'text' ? { ...block, text: said } : text(said);
}

/** An audience that names nobody we know says nothing. */
function isForModel(block: Content): boolean {
  const audience: unknown = block.annotations?.audience;
  return !Array.isArray(audience) || audience.includes('assistant') || !audience.includes('user');
}
