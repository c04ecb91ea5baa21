/** What a tool of another server gave back, as text that every model can read. */
import type { CallToolResult } from '../client/call-result.ts';
import { text } from '../tools/content.ts';
import { renderBlock } from '../tools/render-content.ts';
import type { ToolResult } from '../tools/tool.ts';
import { errorDataKey } from '../tools/tool-error.ts';

/** One block of text for each block there was; structured data is kept beside them. */
export function toReadableResult(result: CallToolResult): ToolResult {
  const data = result.structuredContent ?? (result.isError ? result._meta?.[errorDataKey] : undefined);
  return {
    content: result.content.map(block => text(renderBlock(block))),
    ...(data === undefined ? {} : { structuredContent: data }),
    isError: result.isError,
  };
}
