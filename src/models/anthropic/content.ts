/** Content of prompts and tool results as blocks: pictures, PDFs and texts natively, everything else as a line; pure. */
import type { Content } from '../../tools/content.ts';
import { artifactHandle, renderContent } from '../../tools/render-content.ts';
import type { ToolMessage } from '../model.ts';
import { type Binary, toMedia } from '../provider/media.ts';
import type { DocumentBlock, ImageType, MediaBlock, TextBlock, ToolResultBlock } from './request.ts';

/** What the API takes as the title of a document, with room to spare. */
const longestTitle = 200;

/** How the base64 of each kind of picture begins; a type that contradicts its picture is refused. */
const pictures: readonly (readonly [start: RegExp, type: ImageType])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
];

/** Blank texts are left out, which the API refuses. With the id of a tool call, what is not shown is named by its handle. */
export function toBlocks(content: string | readonly Content[], toolCallId?: string): readonly MediaBlock[] {
  if (typeof content === 'string') return textBlocks(content);
  return content.flatMap((block, index) =>
    toNative(block, toolCallId === undefined ? undefined : artifactHandle(toolCallId, index)),
  );
}

export function textBlocks(text: string): readonly TextBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** A failed call may answer in text alone, and no call may answer with nothing. */
export function toToolResult(message: ToolMessage, toolUseId: string): ToolResultBlock {
  const { content, toolCallId, isError = false } = message;
  const blocks = isError ? textBlocks(renderContent(content, toolCallId)) : toBlocks(content, toolCallId);
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    content: blocks.length === 0 ? [{ type: 'text', text: '[no content]' }] : blocks,
    ...(isError ? { is_error: true } : {}),
  };
}

function toNative(block: Content, artifact: string | undefined): readonly MediaBlock[] {
  const { text, uri } = (block.type === 'resource' && block.resource) || {};
  if (typeof text === 'string' && text.trim() !== '') {
    return [document({ type: 'text', media_type: 'text/plain', data: text }, uri)];
  }
  const media = toMedia(block, isShown, artifact);
  if (media.kind === 'text') return textBlocks(media.text);
  const { data } = media;
  const type = pictureType(data);
  return type === undefined
    ? [document({ type: 'base64', media_type: 'application/pdf', data }, uri)]
    : [{ type: 'image', source: { type: 'base64', media_type: type, data } }];
}

/** What the API would choke on is not sent: one bad block would fail the conversation for good. */
function isShown({ kind, mimeType, data }: Binary): boolean {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return false;
  // Every PDF begins with these bytes.
  if (mimeType === 'application/pdf') return data.startsWith('JVBERi');
  return kind === 'image' && pictureType(data) !== undefined;
}

/** What the bytes say counts, not the type that was declared. */
function pictureType(data: string): ImageType | undefined {
  return pictures.find(([start]) => start.test(data))?.[1];
}

function document(source: DocumentBlock['source'], uri: unknown): DocumentBlock {
  const titled = typeof uri === 'string' && uri.trim() !== '' && uri.length <= longestTitle;
  return { type: 'document', source, ...(titled ? { title: uri } : {}) };
}
