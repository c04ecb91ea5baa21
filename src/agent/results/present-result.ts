/** A tool result as the model is shown it: meant for it, said once, and within a budget; the transcript keeps the whole. */
import type { ToolMessage } from '../../models/model.ts';
import { type Content, text } from '../../tools/content.ts';
import { artifactHandle, artifactKey } from '../../tools/render-content.ts';
import { printHandle } from './artifacts.ts';
import { type CutParts, cutParts } from './cut-parts.ts';
import { isMedia } from './estimate-tokens.ts';
import { type Part, shownParts } from './shown-parts.ts';

export interface PresentOptions {
  /** Most tokens of one result, estimated; a notice of what was cut included. */
  readonly maxTokens: number;
  /** What the tool is called that reads on. */
  readonly readMore: string;
  /** What handles call the result, see `callRefs`; the id of its call unless set. */
  readonly ref?: string | undefined;
}

export interface ShownResult {
  readonly content: ToolMessage['content'];
  /** Whether something was left out for its size. */
  readonly cut: boolean;
}

export function presentResult(message: ToolMessage, options: PresentOptions): ShownResult {
  const { maxTokens, readMore, ref = message.toolCallId } = options;
  const parts = shownParts(message, ref);
  if (parts.length === 0) return { content: nothingShown(message), cut: false };
  const cut = cutToFit(message.toolName === readMore ? freeFirst(parts) : parts, maxTokens, ref);
  if (cut === undefined) return { content: joinParts(parts, ref, message.toolCallId), cut: false };
  const notice = describeCut(cut, ref, readMore);
  const end: Part = { index: -1, block: text(notice), text: notice, tokens: 0, priority: 0 };
  return { content: joinParts([...cut.shown, end], ref, message.toolCallId), cut: true };
}

/** How the parts are cut; not at all when they fit. */
export function cutToFit(parts: readonly Part[], maxTokens: number, ref: string): CutParts | undefined {
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  return tokens <= maxTokens ? undefined : cutParts(parts, maxTokens, ref);
}

/** A picture that was asked for by its handle is shown whatever it counts: else it could never be seen. */
function freeFirst(parts: readonly Part[]): readonly Part[] {
  return parts.map((part, place) => (place === 0 && isMedia(part.block) ? { ...part, tokens: 0 } : part));
}

/** One text when all of it is text, else the blocks; those that a provider could not name by itself carry their handle. */
export function joinParts(parts: readonly Part[], ref: string, toolCallId?: string): ToolMessage['content'] {
  if (parts.every(({ block }) => block.type === 'text')) {
    return parts.map(part => part.text ?? '').join('\n');
  }
  return parts.map(({ block, index }, place): Content => {
    if (block.type === 'text' || (index === place && ref === toolCallId)) return block;
    return { ...block, _meta: { ...block._meta, [artifactKey]: artifactHandle(ref, index) } };
  });
}

function nothingShown({ content, structuredContent }: ToolMessage): string {
  const isEmpty = structuredContent === undefined && content.length === 0;
  return isEmpty ? '' : '[The result is meant for the user alone and is not shown here.]';
}

function describeCut({ shown, rest, extent }: CutParts, ref: string, readMore: string): string {
  const missing = rest.filter(({ start }) => start === 0).map(({ part }) => part.index);
  const facts = [
    ...(extent === undefined ? [] : [`${extent} are shown`]),
    ...(missing.length === 0 ? [] : [`${listParts(missing)} left out`]),
  ];
  const [first] = rest;
  const { index } = first?.part ?? { index: 0 };
  // From there on is all that is left, unless something behind it is shown already.
  const onlyRest = shown.some(part => part.index > index);
  const handle = printHandle({ toolCallId: ref, index, offset: first?.start ?? 0, onlyRest });
  return `[Too long: ${facts.join('; ')}. Read on with ${readMore} and the handle ${JSON.stringify(handle)}.]`;
}

function listParts(missing: readonly number[]): string {
  if (missing.length === 1) return `part ${missing[0]} is`;
  const more = missing.length - 4;
  const numbers = missing.slice(0, 4).join(', ');
  return `parts ${numbers}${more > 0 ? ` and ${more} more up to ${missing.at(-1)}` : ''} are`;
}
