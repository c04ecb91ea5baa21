/** What a tool of another server gave back, as text that every model can read. */
import type { CallToolResult } from '../client/call-result.ts';
import { text } from '../tools/content.ts';
import { renderBlock } from '../tools/render-content.ts';
import type { ToolResult } from '../tools/tool.ts';

/** One block of text for each block there was; structured data is kept beside them. */
export function toReadableResult(result: CallToolResult): ToolResult {
  return {
    content: result.content.map(block => text(renderBlock(block))),
    ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
    isError: result.isError,
  };
}
