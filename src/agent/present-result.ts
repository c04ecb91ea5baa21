/** A tool result as the model is shown it: meant for it, said once, and within a budget; the transcript keeps the whole. */
import type { ToolMessage } from '../models/model.ts';
import { type Content, text } from '../tools/content.ts';
import { artifactHandle, artifactKey } from '../tools/render-content.ts';
import { pieceOf } from './cut-text.ts';
import { charactersPerToken, estimateText } from './estimate-tokens.ts';
import { type Part, shownParts } from './shown-parts.ts';

export interface PresentOptions {
  /** Most tokens of one result, estimated; a notice of what was cut included. */
  readonly maxTokens: number;
  /** What the tool is called that reads on. */
  readonly readMore: string;
}

export interface ShownResult {
  readonly content: ToolMessage['content'];
  /** Whether something was left out for its size. */
  readonly cut: boolean;
}

/** Parts up to this size are kept before all others while they fill no more than a tenth of the budget. */
const smallPart = 64;

export function presentResult(message: ToolMessage, options: PresentOptions): ShownResult {
  const parts = shownParts(message);
  if (parts.length === 0) return { content: nothingShown(message), cut: false };
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  if (tokens <= options.maxTokens) return { content: joinParts(parts, message.toolCallId), cut: false };
  return { content: cutParts(parts, message.toolCallId, options), cut: true };
}

/** One text when all of it is text, else the blocks; those that are not where they were carry their handle. */
export function joinParts(parts: readonly Part[], toolCallId: string): ToolMessage['content'] {
  if (parts.every(({ block }) => block.type === 'text')) {
    return parts.map(part => part.text ?? '').join('\n');
  }
  return parts.map(({ block, index }, place): Content => {
    if (block.type === 'text' || index === place) return block;
    return { ...block, _meta: { ...block._meta, [artifactKey]: artifactHandle(toolCallId, index) } };
  });
}

/** What the notice of a cut may take. */
export function noticeTokens(toolCallId: string): number {
  return 80 + estimateText(toolCallId.repeat(2));
}

function nothingShown({ content, structuredContent }: ToolMessage): string {
  const isEmpty = structuredContent === undefined && content.length === 0;
  return isEmpty ? '' : '[The result is meant for the user alone and is not shown here.]';
}

function cutParts(
  parts: readonly Part[],
  toolCallId: string,
  options: PresentOptions,
): ToolMessage['content'] {
  let left = Math.max(0, options.maxTokens - noticeTokens(toolCallId));
  let smallLeft = left / 10;
  const kept: Part[] = [];
  const others: Part[] = [];
  for (const part of byPriority(parts)) {
    if (part.tokens > smallPart || part.tokens > smallLeft) others.push(part);
    else {
      kept.push(part);
      smallLeft -= part.tokens;
      left -= part.tokens;
    }
  }
  const missing: number[] = [];
  let partial: { readonly part: Part; readonly end: number; readonly extent: string } | undefined;
  for (const part of others) {
    if (part.tokens <= left) {
      kept.push(part);
      left -= part.tokens;
    } else if (part.text !== undefined && partial === undefined && left > smallPart) {
      const piece = pieceOf(part.text, 0, left * charactersPerToken - 32);
      kept.push({ ...part, block: text(piece.text), text: piece.text });
      partial = { part, ...piece };
      left = 0;
    } else missing.push(part.index);
  }
  missing.sort((a, b) => a - b);
  const notice = text(describeCut(partial, missing, toolCallId, options.readMore));
  const shown = kept.sort((a, b) => a.index - b.index);
  const end: Part = { index: -1, block: notice, text: notice.text, tokens: 0, priority: 0 };
  return joinParts([...shown, end], toolCallId);
}

function byPriority(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => b.priority - a.priority || a.index - b.index);
}

function describeCut(
  partial: { readonly part: Part; readonly end: number; readonly extent: string } | undefined,
  missing: readonly number[],
  toolCallId: string,
  readMore: string,
): string {
  const facts: string[] = [];
  const handles: string[] = [];
  if (partial !== undefined) {
    const { index } = partial.part;
    facts.push(`of part ${index} only ${partial.extent} are shown`);
    handles.push(`${artifactHandle(toolCallId, index)}@${partial.end}`);
  }
  const [first] = missing;
  if (first !== undefined) {
    facts.push(`${listParts(missing)} left out`);
    handles.push(artifactHandle(toolCallId, first));
  }
  return `[Too long: ${facts.join('; ')}. Read on with ${readMore} and the handle ${handles.map(handle => JSON.stringify(handle)).join(' or ')}.]`;
}

function listParts(missing: readonly number[]): string {
  if (missing.length === 1) return `part ${missing[0]} is`;
  const more = missing.length - 4;
  const numbers = missing.slice(0, 4).join(', ');
  return `parts ${numbers}${more > 0 ? ` and ${more} more up to ${missing.at(-1)}` : ''} are`;
}
