/** Results in the words of the OpenAI SDK: tool messages of chat completions, and outputs of responses. */
import { isImage, type MediaPiece, markFailure, textOf, toDataUrl, toPieces } from '../calls/pieces.ts';
import type { CallResult } from '../calls/run-call.ts';

/** The message that answers a call. */
export interface ChatToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** A part of an output. */
export type OutputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
  | { readonly type: 'input_file'; readonly filename: string; readonly file_data: string };

/** The item that answers a call. */
export interface FunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string | OutputPart[];
}

/** Text and nothing else: that is all a tool message may hold. */
export function toToolMessage(result: CallResult, callId: string): ChatToolMessage {
  const pieces = toPieces(result, callId, () => false);
  const content = textOf(result.isError ? markFailure(pieces) : pieces) ?? '';
  return { role: 'tool', tool_call_id: callId, content };
}

export function toFunctionOutput(
  result: CallResult,
  callId: string,
  shows: (mimeType: string) => boolean,
): FunctionCallOutput {
  const pieces = toPieces(result, callId, shows);
  const marked = result.isError ? markFailure(pieces) : pieces;
  const output =
    textOf(marked) ??
    marked.map(
      (piece): OutputPart =>
        piece.type === 'text' ? { type: 'input_text', text: piece.text } : toPart(piece),
    );
  return { type: 'function_call_output', call_id: callId, output };
}

function toPart(piece: MediaPiece): OutputPart {
  const url = toDataUrl(piece);
  if (isImage(piece.mimeType)) return { type: 'input_image', image_url: url, detail: 'auto' };
  return { type: 'input_file', filename: piece.name, file_data: url };
}
