/** What tools, prompts and resources are made of: text, images, audio, links and embedded resources, with makers. */
import { encodeBase64 } from '../basics/base64.ts';

/** Hints for whoever shows or uses a piece of content. */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 (least) to 1 (most important). */
  readonly priority?: number;
  /** ISO 8601 time. */
  readonly lastModified?: string;
}

interface ContentBase {
  readonly annotations?: Annotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface TextContent extends ContentBase {
  readonly type: 'text';
  readonly text: string;
}

/** `data` is base64. */
export interface ImageContent extends ContentBase {
  readonly type: 'image';
  readonly data: string;
  readonly mimeType: string;
}

/** `data` is base64. */
export interface AudioContent extends ContentBase {
  readonly type: 'audio';
  readonly data: string;
  readonly mimeType: string;
}

export interface ResourceLink extends ContentBase {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, when known. */
  readonly size?: number;
}

/** A resource's contents, `text` or base64 `blob`. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface EmbeddedResource extends ContentBase {
  readonly type: 'resource';
  readonly resource: ResourceContents;
}

/** Every kind of content the protocol knows. */
export type Content = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

export function text(value: string, extra?: Omit<TextContent, 'type' | 'text'>): TextContent {
  return extra === undefined ? { type: 'text', text: value } : { type: 'text', text: value, ...extra };
}

/** `data`: bytes, or a string that is base64 already. */
export function image(data: Uint8Array | string, mimeType: string, extra: ContentBase = {}): ImageContent {
  return { type: 'image', data: base64(data), mimeType, ...extra };
}

/** `data`: bytes, or a string that is base64 already. */
export function audio(data: Uint8Array | string, mimeType: string, extra: ContentBase = {}): AudioContent {
  return { type: 'audio', data: base64(data), mimeType, ...extra };
}

export function link(
  uri: string,
  name: string,
  extra: Omit<ResourceLink, 'type' | 'uri' | 'name'> = {},
): ResourceLink {
  return { type: 'resource_link', uri, name, ...extra };
}

export function embed(resource: ResourceContents, extra: ContentBase = {}): EmbeddedResource {
  return { type: 'resource', resource, ...extra };
}

const kinds: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

/** True for an object whose `type` is one of the protocol's kinds of content. */
export function isContent(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && kinds.has((value as { type?: unknown }).type);
}

function base64(data: Uint8Array | string): string {
  return typeof data === 'string' ? data : encodeBase64(data);
}
