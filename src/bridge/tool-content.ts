/** What a tool of another server gave back, as blocks that every model can read: text stays, the rest is named. */
import type { CallToolResult, UnknownContent } from '../client/call-result.ts';
import { type Content, isContent, type TextContent, text } from '../tools/content.ts';
import type { ToolResult } from '../tools/tool.ts';

/** Text as it is, everything else as one line that says what was there; structured data is kept beside it. */
export function toReadableResult(result: CallToolResult): ToolResult {
  return {
    content: result.content.map(toText),
    ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
    isError: result.isError,
  };
}

function toText(block: Content | UnknownContent): TextContent {
  if (!isContent(block)) return text(`[content of the kind ${JSON.stringify(block.type)}: not shown]`);
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'image':
    case 'audio':
      return text(`[${block.type}, ${block.mimeType}, ${describeSize(block.data)}: not shown]`);
    case 'resource_link':
      return text(`[resource ${block.uri}: ${block.title ?? block.name}]`);
    case 'resource': {
      const { uri, text: inside, blob, mimeType } = block.resource;
      if (inside !== undefined) return text(`[resource ${uri}]\n${inside}`);
      return text(`[resource ${uri}, ${mimeType ?? 'unknown type'}, ${describeSize(blob ?? '')}: not shown]`);
    }
  }
}

/** The size of what base64 text holds. */
function describeSize(base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0;
  return bytes < 10_240 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
