/** Content as plain text, for models and places that read nothing else: text stays, the rest is named. */
import { type Content, isContent, type ResourceContents } from './content.ts';

/** A block of a kind that this version may not know. */
interface AnyBlock {
  readonly type: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Where, in the `_meta` of a block, its artifact handle is when it does not stand where the tool put it. */
export const artifactKey = 'tenon/artifact';

/** Names a block of a tool result, so that a person or a program can find in the transcript what a model was not shown. */
export function artifactHandle(toolCallId: string, index: number): string {
  return `${toolCallId}#${index}`;
}

/**
 * Each block on its own lines. Text that is given is text that comes back. With the id of the tool call that gave it,
 * what is not shown is named by its artifact handle.
 */
export function renderContent(content: string | readonly AnyBlock[], toolCallId?: string): string {
  if (typeof content === 'string') return content;
  return content
    .map((block, index) =>
      renderBlock(block, toolCallId === undefined ? undefined : artifactHandle(toolCallId, index)),
    )
    .join('\n');
}

/**
 * Text as it is, the text of an embedded resource under its address, and for every other block one line that says what
 * was there, such as `[image, image/png, 3000 bytes: not shown, artifact call_1#0]`. Odd blocks of a peer do not make it
 * throw.
 */
export function renderBlock(block: AnyBlock, artifact?: string): string {
  const own = block._meta?.[artifactKey];
  const handle = typeof own === 'string' ? own : artifact;
  const hidden = handle === undefined ? 'not shown' : `not shown, artifact ${handle}`;
  return isContent(block)
    ? renderKnown(block, hidden)
    : `[content of the kind ${JSON.stringify(block.type)}: ${hidden}]`;
}

function renderKnown(block: Content, hidden: string): string {
  switch (block.type) {
    case 'text':
      return String(block.text ?? '');
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType ?? 'unknown type'}, ${describeSize(block.data)}: ${hidden}]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${block.title ?? block.name}]`;
    case 'resource':
      return renderResource(block.resource ?? {}, hidden);
  }
}

function renderResource(
  { uri = 'without address', text, blob, mimeType }: Partial<ResourceContents>,
  hidden: string,
): string {
  if (text !== undefined) return `[resource ${uri}]\n${text}`;
  return `[resource ${uri}, ${mimeType ?? 'unknown type'}, ${describeSize(blob)}: ${hidden}]`;
}

/** The size of what base64 text holds. */
function describeSize(base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.replace(/=+$/, '').length * 3) / 4) : 0;
  return bytes < 10_240 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
