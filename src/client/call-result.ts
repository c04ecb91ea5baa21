/** Reads the result of a tool call whatever shape it came in, losing nothing. */
import type { Params } from '../rpc/message.ts';
import { type Content, isContent } from '../tools/content.ts';
import type { RequestOptions } from './options.ts';

/** A block of a kind that this version does not know, as it came. */
export interface UnknownContent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What a tool call came to. `isError` is a failure that whoever asked can correct. */
export interface CallToolResult {
  readonly content: readonly (Content | UnknownContent)[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The result of a tool whose structured data is known. It is missing where `isError` says so, or the tool broke its word. */
export type CallResult<Structured> = unknown extends Structured
  ? CallToolResult
  : CallToolResult & { readonly structuredContent?: Structured };

/** What follows the name in a call: the arguments may be left out where none are required. */
export type CallArguments<Args> =
  Record<never, never> extends Args
    ? [args?: Args, options?: RequestOptions]
    : [args: Args, options?: RequestOptions];

export function readCallResult(value: Params): CallToolResult {
  const { content, structuredContent, isError, _meta, toolResult } = value;
  return {
    content: readContent(content ?? toolResult),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: isError === true,
    ...(typeof _meta === 'object' && _meta !== null ? { _meta: _meta as Params } : {}),
  };
}

/** Blocks of content, however many came and in whatever shape. */
export function readContent(content: unknown): readonly (Content | UnknownContent)[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (Array.isArray(content) ? content : [content]).map(readBlock);
}

function readBlock(block: unknown): Content | UnknownContent {
  if (isContent(block)) return block;
  if (typeof block === 'string') return { type: 'text', text: block };
  if (typeof block === 'object' && block !== null && typeof (block as UnknownContent).type === 'string') {
    return block as UnknownContent;
  }
  return { type: 'unknown', value: block };
}
