/** What a tool of another server gave back, as the result of a tool here: every block and all data as they came. */
import type { CallToolResult } from '../../client/call-result.ts';
import { text } from '../../tools/content.ts';
import type { ToolResult } from '../../tools/tool.ts';
import { errorDataKey } from '../../tools/tool-error.ts';

/**
 * Blocks of kinds that this version does not know stay as they are; what a model is shown of them is decided where its
 * request is written. A failure without a word gets one, since it would leave the model with nothing to mend.
 */
export function toBridgedResult(result: CallToolResult, tool: string): ToolResult {
  const { isError, _meta } = result;
  if (!isError && _meta === undefined && result.structuredContent === undefined) return result as ToolResult;
  const data = result.structuredContent ?? (isError ? _meta?.[errorDataKey] : undefined);
  const isSilent = isError && data === undefined && isBlank(result);
  return {
    content: isSilent
      ? [text(`The tool ${tool} failed and does not say why.`)]
      : (result.content as ToolResult['content']),
    ...(data === undefined ? {} : { structuredContent: data }),
    isError,
    ...(_meta === undefined ? {} : { _meta }),
  };
}

function isBlank({ content }: CallToolResult): boolean {
  return content.every(block => block.type === 'text' && String(block.text ?? '').trim() === '');
}
