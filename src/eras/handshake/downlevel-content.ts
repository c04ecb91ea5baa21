/** One block of content for revisions that do not know its kind: said in text. */
import type { Content, ResourceLink } from '../../tools/content.ts';
import type { RevisionFacts } from './revisions.ts';

/** The block, or a text in its place. */
export function simplify(block: Content, facts: RevisionFacts): Content {
  if (block.type === 'resource_link' && !facts.structuredContent)
    return { type: 'text', text: linkLine(block) };
  if (block.type === 'audio' && !facts.audio) {
    return {
      type: 'text',
      text: `[audio, ${block.mimeType}: this revision of the protocol cannot carry it]`,
    };
  }
  if (block.annotations?.lastModified === undefined || facts.structuredContent) return block;
  const { lastModified: _tooNew, ...annotations } = block.annotations;
  return { ...block, annotations };
}

function linkLine(block: ResourceLink): string {
  const about = block.description ? ` - ${block.description}` : '';
  return `[${block.title ?? block.name}](${block.uri})${about}`;
}
