/** How many tokens content is likely to cost a model that reads it: a guess from its length, the same everywhere. */
import { type Content, isContent } from '../../tools/content.ts';
import { renderBlock } from '../../tools/render-content.ts';

/** What a picture, a recording or a file counts, whatever its size: about what providers charge for a usual picture. */
export const tokensPerMedia = 1_600;

/** Most that is shown of a result when nobody says otherwise. */
export const usualResultTokens = 25_000;

/** Four characters to a token. */
export const charactersPerToken = 4;

export function estimateText(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

export function estimateBlock(block: Content): number {
  return isMedia(block) ? tokensPerMedia : estimateText(renderBlock(block));
}

/** True for a picture, a recording, or a resource that is no text. */
export function isMedia(block: Content): boolean {
  if (!isContent(block)) return false;
  if (block.type === 'image' || block.type === 'audio') return true;
  return block.type === 'resource' && typeof block.resource?.text !== 'string';
}
