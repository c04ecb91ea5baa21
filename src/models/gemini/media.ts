/** Which content Gemini takes as data, and the parts that blocks of content become; pure. */
import type { Content } from '../../tools/content.ts';
import { artifactHandle, renderContent } from '../../tools/render-content.ts';
import { type Binary, toMedia } from '../provider/media.ts';
import type { BlobPart, TextPart } from './request.ts';

/** The images that prompts may hold; others, such as GIF and SVG, fail the whole request. */
const promptImages: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/heif',
]);

/** What tool results may hold beside text, in models that take anything else there. */
const resultTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'application/pdf',
]);

/** The parts of a prompt, the empty ones included. */
export function toPromptParts(content: string | readonly Content[]): readonly (TextPart | BlobPart)[] {
  if (typeof content === 'string') return [{ text: content }];
  return content
    .map(block => toMedia(block, isForPrompts))
    .map(media => (media.kind === 'text' ? { text: media.text } : toBlob(media)));
}

export interface ResultParts {
  readonly text: string;
  /** Named in the text by their artifact handles. */
  readonly blobs: readonly BlobPart[];
}

/** What a tool result says, and what it shows where the model `takesMedia` there. */
export function toResultParts(
  content: string | readonly Content[],
  toolCallId: string,
  takesMedia: boolean,
): ResultParts {
  if (typeof content === 'string' || !takesMedia) {
    return { text: renderContent(content, toolCallId), blobs: [] };
  }
  const blobs: BlobPart[] = [];
  const lines = content.map((block, index) => {
    const artifact = artifactHandle(toolCallId, index);
    const media = toMedia(block, ({ mimeType }) => resultTypes.has(mimeType), artifact);
    if (media.kind === 'text') return media.text;
    blobs.push(toBlob(media));
    return `[${media.kind}, ${media.mimeType}: artifact ${artifact}]`;
  });
  return { text: lines.join('\n'), blobs };
}

function isForPrompts({ kind, mimeType }: Binary): boolean {
  if (kind === 'image') return promptImages.has(mimeType);
  return kind === 'audio' || mimeType === 'application/pdf' || mimeType.startsWith('video/');
}

function toBlob({ mimeType, data }: Binary): BlobPart {
  return { inlineData: { mimeType, data } };
}
