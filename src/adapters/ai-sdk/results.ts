/** Results in the words of the AI SDK: text, an error, or parts; how media are said differs from version to version. */
import { isImage, type MediaPiece, markFailure, type Piece, textOf, toPieces } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';

/** Major versions of the package `ai` whose tools are known. */
export type SdkVersion = 5 | 6 | 7;

interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A piece of media as each version has it. */
export interface MediaPart {
  readonly 5: { readonly type: 'media'; readonly data: string; readonly mediaType: string };
  readonly 6:
    | { readonly type: 'image-data'; readonly data: string; readonly mediaType: string }
    | {
        readonly type: 'file-data';
        readonly data: string;
        readonly mediaType: string;
        readonly filename: string;
      };
  readonly 7: {
    readonly type: 'file';
    readonly data: { readonly type: 'data'; readonly data: string };
    readonly mediaType: string;
    readonly filename: string;
  };
}

type OutputOf<Part> =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  // The package's own type is a mutable list.
  | { readonly type: 'content'; readonly value: (TextPart | Part)[] };

/** What `toModelOutput` gives. */
export type ModelOutput = { readonly [Version in SdkVersion]: OutputOf<MediaPart[Version]> };

const mediaParts: { readonly [Version in SdkVersion]: (piece: MediaPiece) => MediaPart[Version] } = {
  5: ({ data, mimeType }) => ({ type: 'media', data, mediaType: mimeType }),
  6: ({ data, mimeType, name }) =>
    isImage(mimeType)
      ? { type: 'image-data', data, mediaType: mimeType }
      : { type: 'file-data', data, mediaType: mimeType, filename: name },
  7: ({ data, mimeType, name }) => ({
    type: 'file',
    data: { type: 'data', data },
    mediaType: mimeType,
    filename: name,
  }),
};

/** The versions there are, for checks. */
export function isSdkVersion(value: unknown): value is SdkVersion {
  return typeof value === 'number' && value in mediaParts;
}

/** The result as it goes to the model. */
export function toModelOutput<Version extends SdkVersion>(
  result: Pick<CallResult, 'content' | 'isError'>,
  callId: string,
  shows: (mimeType: string) => boolean,
  version: Version,
): ModelOutput[Version] {
  const pieces = toPieces(result, callId, shows);
  // Several providers send the words of an error as they would any others.
  const marked = result.isError ? markFailure(pieces) : pieces;
  const value = textOf(marked);
  if (value !== undefined) {
    return { type: result.isError ? 'error-text' : 'text', value } as ModelOutput[Version];
  }
  return { type: 'content', value: marked.map(piece => toPart(piece, version)) } as ModelOutput[Version];
}

function toPart<Version extends SdkVersion>(piece: Piece, version: Version): TextPart | MediaPart[Version] {
  return piece.type === 'text' ? { type: 'text', text: piece.text } : mediaParts[version](piece);
}
