/** Results in the words of LangChain: content for the model, and the whole result as the artifact. */
import { isImage, type MediaPiece, markFailure, textOf, toDataUrl, toPieces } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';

/** A block of a message's content. */
export type LangChainBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'audio' | 'file';
      readonly mimeType: string;
      readonly data: string;
      /** The two members by which models of the 0.x line know the block. */
      readonly source_type: 'base64';
      readonly mime_type: string;
      readonly metadata: { readonly filename: string };
    };

export type LangChainContent = string | LangChainBlock[];

/** The content; a failure says so in its text as well, as only a message has a status. */
export function toContent(
  result: CallResult,
  callId: string,
  shows: (mimeType: string) => boolean,
): LangChainContent {
  const pieces = toPieces(result, callId, shows);
  const marked = result.isError ? markFailure(pieces) : pieces;
  return textOf(marked) ?? marked.map(piece => (piece.type === 'text' ? piece : toBlock(piece)));
}

function toBlock(piece: MediaPiece): LangChainBlock {
  const { mimeType, data, name } = piece;
  if (isImage(mimeType)) return { type: 'image_url', image_url: { url: toDataUrl(piece) } };
  return {
    type: mimeType.startsWith('audio/') ? 'audio' : 'file',
    mimeType,
    data,
    source_type: 'base64',
    mime_type: mimeType,
    metadata: { filename: name },
  };
}
