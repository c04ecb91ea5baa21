/** A result's content as the pieces that every library has: text, and media that its models can be shown. */
import { shownParts } from '../../agent/shown-parts.ts';
import type { Content } from '../../tools/content.ts';
import { artifactHandle, renderBlock } from '../../tools/render-content.ts';
import type { CallResult } from './run-call.ts';

export interface TextPiece {
  readonly type: 'text';
  readonly text: string;
}

/** `data` is base64 and never empty. */
export interface MediaPiece {
  readonly type: 'media';
  readonly mimeType: string;
  readonly data: string;
  /** A file name, for APIs that want one. */
  readonly name: string;
}

export type Piece = TextPiece | MediaPiece;

/** What stands where a result has nothing for the model: several APIs refuse an empty result. */
const nothing: TextPiece = { type: 'text', text: 'The tool gave nothing to show.' };

/**
 * At least one piece, in order. What is only for people is left out, blank texts too, and structured data that the text
 * says already; what cannot be shown is one line that names it and its artifact handle, so that a program can find it
 * in the full result.
 */
export function toPieces(
  result: Pick<CallResult, 'content' | 'structuredContent'>,
  callId: string,
  shows: (mimeType: string) => boolean,
): readonly Piece[] {
  const { content, structuredContent } = result;
  const message = { role: 'tool', toolCallId: callId, toolName: '', content, structuredContent } as const;
  const pieces = shownParts(message).flatMap(({ block, index }): readonly Piece[] => {
    const media = toMedia(block, index);
    if (media !== undefined && shows(media.mimeType)) return [media];
    const text = renderBlock(block, artifactHandle(callId, index));
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  });
  return pieces.length === 0 ? [nothing] : pieces;
}

/** The pieces as one text, each on its own lines; `undefined` when there is media among them. */
export function textOf(pieces: readonly Piece[]): string | undefined {
  const lines: string[] = [];
  for (const piece of pieces) {
    if (piece.type !== 'text') return undefined;
    lines.push(piece.text);
  }
  return lines.join('\n');
}

/** The same pieces, the first of which says that the call failed, for APIs that have no other place to say so. */
export function markFailure(pieces: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = pieces;
  if (first?.type !== 'text') return [{ type: 'text', text: 'Error:' }, ...pieces];
  return /^error\b/i.test(first.text) ? pieces : [{ type: 'text', text: `Error: ${first.text}` }, ...rest];
}

export function isImage(mimeType: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/i.test(mimeType);
}

export function isPdf(mimeType: string): boolean {
  return mimeType.toLowerCase() === 'application/pdf';
}

export function toDataUrl({ mimeType, data }: MediaPiece): string {
  return `data:${mimeType};base64,${data}`;
}

function toMedia(block: Content, index: number): MediaPiece | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    return media(block.mimeType, block.data, `${block.type}-${index + 1}`);
  }
  if (block.type !== 'resource' || typeof block.resource?.blob !== 'string') return undefined;
  const { mimeType, blob, uri } = block.resource;
  return media(mimeType, blob, lastWord(uri) ?? `file-${index + 1}`);
}

/** Odd blocks of a peer have no type or no data; they are rendered as text, which says so. */
function media(mimeType: unknown, data: unknown, name: string): MediaPiece | undefined {
  if (typeof mimeType !== 'string' || typeof data !== 'string' || data === '') return undefined;
  return { type: 'media', mimeType, data, name };
}

/** The last part of an address, without its query. */
function lastWord(uri: unknown): string | undefined {
  if (typeof uri !== 'string') return undefined;
  return /([^/?#\\:]+)\/*(?:[?#].*)?$/.exec(uri)?.[1];
}
