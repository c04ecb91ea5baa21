/** The parts of a tool result that are meant for the model, each with its number and its likely cost. */
import type { ToolMessage } from '../models/model.ts';
import { type Content, isContent, text } from '../tools/content.ts';
import { artifactHandle, renderBlock } from '../tools/render-content.ts';
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
 * A block of a kind that nobody knows is a line that names it.
 */
export function shownParts(message: ToolMessage): readonly Part[] {
  const all = partsOf(message);
  const json = dataText(message.structuredContent);
  const parts = all.flatMap((block, index) => {
    const isData = json !== undefined && index === all.length - 1;
    return isData || !isForModel(block) ? [] : [toPart(block, index, message.toolCallId)];
  });
  if (json === undefined) return parts;
  const said = saysData(
    parts.map(part => part.block),
    message.structuredContent,
    json,
  );
  return said ? parts : [...parts, toPart(text(json), all.length - 1, message.toolCallId)];
}

function toPart(block: Content, index: number, toolCallId: string): Part {
  const known = isContent(block) ? block : text(renderBlock(block, artifactHandle(toolCallId, index)));
  const priority: unknown = known.annotations?.priority;
  return {
    index,
    block: known,
    text: isMedia(known) ? undefined : renderBlock(known),
    tokens: estimateBlock(known),
    priority: typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : 0.5,
  };
}

function isForModel(block: Content): boolean {
  const audience: unknown = block.annotations?.audience;
  return !Array.isArray(audience) || audience.length === 0 || audience.includes('assistant');
}
