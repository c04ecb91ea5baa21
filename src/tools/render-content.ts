/** Content as plain text, for models and places that read nothing else: text stays, the rest is named. */
import { isObject, printJson } from '../basics/json.ts';
import { type Content, isContent } from './content.ts';

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
      return said(block.text);
    case 'image':
    case 'audio':
      return `[${block.type}, ${describe(block)}: ${hidden}]`;
    case 'resource_link': {
      const { uri, title, name } = block;
      const label = textOr(title, textOr(name, ''));
      return `[resource ${textOr(uri, 'without address')}${label === '' ? '' : `: ${label}`}]`;
    }
    case 'resource':
      return renderResource(block.resource, hidden);
  }
}

function renderResource(resource: unknown, hidden: string): string {
  const { uri, text, blob, mimeType } = isObject(resource) ? resource : {};
  const address = textOr(uri, 'without address');
  if (typeof text === 'string') return `[resource ${address}]\n${text}`;
  return `[resource ${address}, ${describe({ mimeType, data: blob })}: ${hidden}]`;
}

function describe({ mimeType, data }: { readonly mimeType?: unknown; readonly data?: unknown }): string {
  return `${textOr(mimeType, 'unknown type')}, ${describeSize(data)}`;
}

/** Text as it is, nothing for nothing; where something else stands in its place, that as JSON. */
function said(text: unknown): string {
  if (typeof text === 'string') return text;
  if (text === undefined || text === null) return '';
  try {
    return printJson(text);
  } catch {
    return '';
  }
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other;
}

/** The size of what base64 text holds. */
function describeSize(base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.replace(/=+$/, '').length * 3) / 4) : 0;
  return bytes < 10_240 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
