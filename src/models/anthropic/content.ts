/** Content of prompts and tool results as blocks: pictures, PDFs and texts natively, everything else as a line; pure. */
import type { Content } from '../../tools/content.ts';
import { artifactHandle, renderContent } from '../../tools/render-content.ts';
import type { ToolMessage } from '../model.ts';
import { type Binary, imageTypes, toMedia } from '../provider/media.ts';
import type { DocumentBlock, ImageType, MediaBlock, TextBlock, ToolResultBlock } from './request.ts';

/** What the API takes as the title of a document, with room to spare. */
const longestTitle = 200;

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
  const { data, mimeType } = media;
  return isImageType(mimeType)
    ? [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }]
    : [document({ type: 'base64', media_type: 'application/pdf', data }, uri)];
}

function isShown({ kind, mimeType }: Binary): boolean {
  return kind === 'image' ? isImageType(mimeType) : mimeType === 'application/pdf';
}

function isImageType(mimeType: string): mimeType is ImageType {
  return imageTypes.has(mimeType);
}

function document(source: DocumentBlock['source'], uri: unknown): DocumentBlock {
  const titled = typeof uri === 'string' && uri.trim() !== '' && uri.length <= longestTitle;
  return { type: 'document', source, ...(titled ? { title: uri } : {}) };
}
