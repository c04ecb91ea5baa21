/** A result's content as the pieces that every library has: text, and media that its models can be shown. */
import { shownParts } from '../../agent/results/shown-parts.ts';
import { toMedia } from '../../models/provider/media.ts';
import { artifactHandle } from '../../tools/render-content.ts';
import type { CallResult } from './run-call.ts';

export interface TextPiece {
  readonly type: 'text';
  readonly text: string;
}

/** `data` is plain base64, and of the type as far as its first bytes tell. */
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
 * says already. What cannot be shown, or is not what it says it is, is one line that names it and its artifact handle,
 * so that a program can find it in the full result.
 */
export function toPieces(
  result: Pick<CallResult, 'content' | 'structuredContent'>,
  callId: string,
  shows: (mimeType: string) => boolean,
): readonly Piece[] {
  const { content, structuredContent } = result;
  const message = { role: 'tool', toolCallId: callId, toolName: '', content, structuredContent } as const;
  const pieces = shownParts(message).flatMap(({ block, index }): readonly Piece[] => {
    const media = toMedia(block, ({ mimeType }) => shows(mimeType), artifactHandle(callId, index));
    if (media.kind === 'text') return media.text.trim() === '' ? [] : [{ type: 'text', text: media.text }];
    const { mimeType, data } = media;
    const isNamed = block.type === 'resource' && media.name !== 'file';
    const name = isNamed ? media.name : `${media.kind}-${index + 1}`;
    return [{ type: 'media', mimeType, data, name }];
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
