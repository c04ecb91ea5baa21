/** Results in the words of the Gemini SDK: a function response, text under `output` or `error`, media beside it. */
import { type Piece, textOf, toPieces } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';

interface InlinePart {
  readonly inlineData: { readonly mimeType: string; readonly data: string };
}

/** The part that answers a call. */
export interface FunctionResponsePart {
  readonly functionResponse: {
    readonly id?: string;
    readonly name: string;
    readonly response: Record<string, unknown>;
    readonly parts?: InlinePart[];
  };
}

export function toResponsePart(
  result: CallResult,
  call: { readonly id: string | undefined; readonly name: string },
  shows: (mimeType: string) => boolean,
): FunctionResponsePart {
  const pieces = toPieces(result, call.id ?? call.name, shows);
  const said = textOf(pieces.filter(({ type }) => type === 'text')) ?? '';
  const parts = pieces.flatMap(toInline);
  return {
    functionResponse: {
      ...(call.id === undefined ? {} : { id: call.id }),
      name: call.name,
      response: result.isError ? { error: said } : { output: said },
      ...(parts.length === 0 ? {} : { parts }),
    },
  };
}

function toInline(piece: Piece): readonly InlinePart[] {
  return piece.type === 'text' ? [] : [{ inlineData: { mimeType: piece.mimeType, data: piece.data } }];
}
