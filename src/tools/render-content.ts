/** Content as plain text, for models and places that read nothing else: text stays, the rest is named. */
import { type Content, isContent, type ResourceContents } from './content.ts';

/** A block of a kind that this version may not know. */
interface AnyBlock {
  readonly type: string;
}

/** Each block on its own lines. Text that is given is text that comes back. */
export function renderContent(content: string | readonly AnyBlock[]): string {
  return typeof content === 'string' ? content : content.map(renderBlock).join('\n');
}

/**
 * Text as it is, the text of an embedded resource under its address, and for every other block one line that says what
 * was there, such as `[image, image/png, 3000 bytes: not shown]`. Odd blocks of a peer do not make it throw.
 */
export function renderBlock(block: AnyBlock): string {
  return isContent(block)
    ? renderKnown(block)
    : `[content of the kind ${JSON.stringify(block.type)}: not shown]`;
}

function renderKnown(block: Content): string {
  switch (block.type) {
    case 'text':
      return String(block.text ?? '');
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType ?? 'unknown type'}, ${describeSize(block.data)}: not shown]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${block.title ?? block.name}]`;
    case 'resource':
      return renderResource(block.resource ?? {});
  }
}

function renderResource({
  uri = 'without address',
  text,
  blob,
  mimeType,
}: Partial<ResourceContents>): string {
  if (text !== undefined) return `[resource ${uri}]\n${text}`;
  return `[resource ${uri}, ${mimeType ?? 'unknown type'}, ${describeSize(blob)}: not shown]`;
}

/** The size of what base64 text holds. */
function describeSize(base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.replace(/=+$/, '').length * 3) / 4) : 0;
  return bytes < 10_240 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
