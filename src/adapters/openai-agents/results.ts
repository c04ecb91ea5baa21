/** Results in the words of the OpenAI Agents SDK: text, or structured outputs that it sends as parts. */
import { isImage, type MediaPiece, markFailure, textOf, toDataUrl, toPieces } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';

/** One part of an output. */
export type AgentsOutput =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string }
  | {
      readonly type: 'file';
      readonly file: { readonly data: string; readonly mediaType: string; readonly filename: string };
    };

/** The result as `invoke` gives it; a failure says so in its text, for which the SDK has no other place. */
export function toOutput(
  result: CallResult,
  callId: string,
  shows: (mimeType: string) => boolean,
): string | AgentsOutput[] {
  const pieces = toPieces(result, callId, shows);
  const marked = result.isError ? markFailure(pieces) : pieces;
  return textOf(marked) ?? marked.map(piece => (piece.type === 'text' ? piece : toPart(piece)));
}

function toPart(piece: MediaPiece): AgentsOutput {
  if (isImage(piece.mimeType)) return { type: 'image', image: toDataUrl(piece) };
  return { type: 'file', file: { data: piece.data, mediaType: piece.mimeType, filename: piece.name } };
}
