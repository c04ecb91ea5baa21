/** Results in the words of the Anthropic SDK: text, or text, image and document blocks; failures are marked beside. */
import { isImage, type MediaPiece, textOf, toPieces } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';

type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** A block of a tool result. */
export type ResultBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
    }
  | {
      readonly type: 'document';
      readonly source: {
        readonly type: 'base64';
        readonly media_type: 'application/pdf';
        readonly data: string;
      };
      readonly title: string;
    };

/** A `tool_result` block of the next user message. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | ResultBlock[];
  readonly is_error?: true;
}

export function toBlocks(
  result: CallResult,
  callId: string,
  shows: (mimeType: string) => boolean,
): string | ResultBlock[] {
  const pieces = toPieces(result, callId, shows);
  return textOf(pieces) ?? pieces.map(piece => (piece.type === 'text' ? piece : toBlock(piece)));
}

export function toToolResult(
  result: CallResult,
  callId: string,
  shows: (mimeType: string) => boolean,
): ToolResultBlock {
  return {
    type: 'tool_result',
    tool_use_id: callId,
    content: toBlocks(result, callId, shows),
    ...(result.isError ? { is_error: true } : {}),
  };
}

/** The API has two kinds of media; what `shows` lets through beyond them is named a document. */
function toBlock({ mimeType, data, name }: MediaPiece): ResultBlock {
  if (isImage(mimeType)) {
    const media_type = mimeType.toLowerCase() as ImageType;
    return { type: 'image', source: { type: 'base64', media_type, data } };
  }
  const media_type = mimeType.toLowerCase() as 'application/pdf';
  return { type: 'document', source: { type: 'base64', media_type, data }, title: name };
}
