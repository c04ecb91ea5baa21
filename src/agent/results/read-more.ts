/** The built-in tool by which a model reads on in a result that was too long to be shown whole. */
import type { ModelMessage, ToolMessage } from '../../models/model.ts';
import { compileSchema } from '../../schema/compile.ts';
import { text } from '../../tools/content.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { PreparedTool, ReadyTool } from '../calls/tool-registry.ts';
import { findResult, type Handle, printHandle, readHandle } from './artifacts.ts';
import { noticeTokens, type Rest } from './cut-parts.ts';
import { pieceOf } from './cut-text.ts';
import { charactersPerToken, estimateText } from './estimate-tokens.ts';
import { cutToFit, joinParts } from './present-result.ts';
import { type Part, shownParts } from './shown-parts.ts';

const input = compileSchema(
  {
    type: 'object',
    properties: { handle: { type: 'string', description: 'The handle that the notice of the cut gives.' } },
    required: ['handle'],
    additionalProperties: false,
  },
  { root: 'object' },
);

/** The tool, for the messages as they are when it runs. */
export function readMoreTool<Deps>(
  name: string,
  messages: readonly ModelMessage[],
  maxTokens: number,
): ReadyTool<Deps> {
  const prepared: PreparedTool<Deps> = {
    name,
    input,
    output: undefined,
    retries: 2,
    timeout: undefined,
    sequential: false,
    run: args => readMore(messages, (args as { readonly handle: string }).handle, { name, maxTokens }),
  };
  const description = 'Reads on in a tool result that was too long to be shown whole.';
  return { prepared, spec: { name, description, parameters: input.json } };
}

/**
 * As much as the budget holds from the handle on, and the handle to go on with. Throws a ToolError for a handle that
 * names nothing the model may see.
 */
export function readMore(
  messages: readonly ModelMessage[],
  handle: string,
  { name, maxTokens }: { readonly name: string; readonly maxTokens: number },
): { readonly content: Exclude<ToolMessage['content'], string> } {
  const read = readHandle(handle);
  const message = read && findResult(messages, read.toolCallId);
  const asked = read && message ? restFrom(shownParts(message, read.toolCallId), read, maxTokens) : [];
  if (read === undefined || asked[0]?.part.index !== read.index) throw noSuch(handle);
  const page = readPage(asked, maxTokens - noticeTokens(read.toolCallId));
  const next = page.next && printHandle({ ...read, ...page.next });
  const end = next
    ? `[There is more${page.extent}. Read on with ${name} and the handle ${JSON.stringify(next)}.]`
    : '[That is the end of this result.]';
  const shown = joinParts(page.parts, read.toolCallId, read.toolCallId);
  return { content: [...(typeof shown === 'string' ? [text(shown)] : shown), text(end)] };
}

/** What there is from the handle on: all of it, or what was not shown when the result was cut. */
function restFrom(parts: readonly Part[], handle: Handle, maxTokens: number): readonly Rest[] {
  const { toolCallId, index, offset, onlyRest } = handle;
  const all = parts.map(part => ({ part, start: 0 }));
  const left = onlyRest ? cutToFit(parts, maxTokens, toolCallId)?.rest : undefined;
  // A handle of a cut within another budget is one into the whole.
  const rest = left?.some(({ part }) => part.index === index) ? left : all;
  return rest
    .filter(({ part }) => part.index >= index)
    .map(each => (each.part.index === index ? { ...each, start: offset } : each));
}

/** Fewer tokens than these are not worth a piece of text. */
const leastText = 16;

interface Page {
  readonly parts: readonly Part[];
  readonly next?: { readonly index: number; readonly offset: number };
  /** What of the last part was shown, when it was cut. */
  readonly extent: string;
}

function readPage(asked: readonly Rest[], budget: number): Page {
  let left = Math.max(leastText, budget);
  const shown: Part[] = [];
  for (const [place, { part, start: from }] of asked.entries()) {
    const { index, tokens, text: whole } = part;
    const start = Math.min(from, whole?.length ?? 0);
    // A picture that is asked for is shown, whatever it counts.
    if ((start === 0 && tokens <= left) || (place === 0 && whole === undefined)) {
      shown.push(part);
      left -= tokens;
      continue;
    }
    if (whole === undefined || left < leastText) {
      return { parts: shown, next: { index, offset: start }, extent: '' };
    }
    const piece = pieceOf(whole, start, left * charactersPerToken);
    shown.push({ ...part, block: text(piece.text), text: piece.text });
    left -= estimateText(piece.text);
    if (piece.end < whole.length) {
      const extent = ` of part ${index} than ${piece.extent}`;
      return { parts: shown, next: { index, offset: piece.end }, extent };
    }
  }
  return { parts: shown, extent: '' };
}

function noSuch(handle: string): ToolError {
  return new ToolError(
    `There is nothing at the handle ${JSON.stringify(handle.slice(0, 100))}; use one that a notice in a tool result gives.`,
  );
}
