/** A block of content as the kinds of media that providers tell apart; pure. */
import type { Content, EmbeddedResource } from '../../tools/content.ts';
import { renderBlock } from '../../tools/render-content.ts';
import { isPdf, pictureType, readBase64 } from './media-bytes.ts';

/** `data` is plain base64; `name` is what a file may be called. */
export type Media =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'image' | 'audio' | 'file';
      readonly mimeType: string;
      readonly data: string;
      readonly name: string;
    };

/** The types of images that every provider which reads images reads. */
export const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

export type Binary = Exclude<Media, { kind: 'text' }>;

/**
 * Images, audio and files as such when `takes` says yes to them, everything else as the text that stands for it, named by
 * `artifact` where there is one. Blobs of embedded resources count by their media type, and pictures by their bytes. What
 * is not what it says it is becomes text too: one such block would fail every later request of a conversation.
 */
export function toMedia(
  block: Content,
  takes: (media: Binary) => boolean,
  artifact?: string | undefined,
): Media {
  const declared = binaryOf(block);
  const media = declared && soundOf(declared);
  return media !== undefined && takes(media) ? media : { kind: 'text', text: renderBlock(block, artifact) };
}

/** The same with what its bytes say; `undefined` when they are no base64, or not of the type. */
function soundOf(media: Binary): Binary | undefined {
  const data = readBase64(media.data);
  if (data === undefined) return undefined;
  if (media.mimeType === 'application/pdf') return isPdf(data) ? { ...media, data } : undefined;
  const mimeType = media.kind === 'image' ? pictureType(data, media.mimeType) : media.mimeType;
  return mimeType === undefined ? undefined : { ...media, mimeType, data };
}

function binaryOf(block: Content): Binary | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    const { type: kind, mimeType, data } = block;
    return isText(mimeType) && isText(data)
      ? { kind, mimeType: bare(mimeType), data, name: kind }
      : undefined;
  }
  return block.type === 'resource' ? blobOf(block) : undefined;
}

function blobOf({ resource }: EmbeddedResource): Binary | undefined {
  const { blob, mimeType, uri } = resource ?? {};
  if (!isText(blob) || !isText(mimeType)) return undefined;
  const type = bare(mimeType);
  const [family] = type.split('/');
  const kind = family === 'image' || family === 'audio' ? family : 'file';
  return { kind, mimeType: type, data: blob, name: nameOf(uri) };
}

/** The last part of an address, as far as it can be a file's name. */
function nameOf(uri: unknown): string {
  const last = isText(uri)
    ? uri
        .replace(/[?#].*/s, '')
        .split('/')
        .at(-1)
    : undefined;
  const name = (last ?? '').replace(/[^\w.-]+/g, '_').slice(-100);
  return name === '' ? 'file' : name;
}

/** Without parameters, as providers compare them. */
function bare(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase();
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
