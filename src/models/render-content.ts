/** Content as plain text, for models and places that take only text. */
import type { Content } from '../tools/content.ts';

/** One line for what is not text, such as `[image/png image: cannot be shown here]`. */
function placeholder(content: Exclude<Content, { type: 'text' }>): string {
  switch (content.type) {
    case 'image':
    case 'audio':
      return `[${content.mimeType} ${content.type}: cannot be shown here]`;
    case 'resource_link':
      return `[link to ${content.name}: ${content.uri}]`;
    case 'resource':
      return `[resource ${content.resource.uri}: cannot be shown here]`;
    default:
      return `[content of type ${String((content as { type: unknown }).type)}: cannot be shown here]`;
  }
}

/** Text as it is, the text of embedded resources, and a line for each other block; joined by line breaks. */
export function renderContent(content: string | readonly Content[]): string {
  if (typeof content === 'string') return content;
  return content.map(renderBlock).join('\n');
}

/** One block as text. */
export function renderBlock(block: Content): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && block.resource.text !== undefined) return block.resource.text;
  return placeholder(block);
}
