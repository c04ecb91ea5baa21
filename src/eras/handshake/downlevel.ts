/** Newer results in the shapes of older revisions: what a revision cannot express is said in text or left out. */
import { keepPrinted } from '../../basics/json.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';
import type { Params } from '../../rpc/message.ts';
import type { Content, ResourceLink } from '../../tools/content.ts';
import type { RevisionFacts } from './revisions.ts';

/** Lists are the same object until they change, so each is rewritten once per revision. */
const rewritten = new WeakMap<RevisionFacts, WeakMap<Params, Params>>();

/** The result of `method` as a client of this revision reads it. Never changes its argument. */
export function downlevel(method: string, value: Params, facts: RevisionFacts): Params {
  if (method === 'tools/call') return callResult(value, facts);
  if (method !== 'tools/list') return value;
  let cache = rewritten.get(facts);
  if (!cache) {
    cache = new WeakMap();
    rewritten.set(facts, cache);
  }
  let list = cache.get(value);
  if (!list) {
    const tools = value['tools'] as readonly ToolListing[];
    list = keepPrinted({ ...value, tools: tools.map(tool => listing(tool, facts)) });
    cache.set(value, list);
  }
  return list;
}

function listing(tool: ToolListing, facts: RevisionFacts): ToolListing {
  const { title, outputSchema, annotations, icons, _meta, ...basic } = tool;
  return {
    ...basic,
    ...(facts.toolAnnotations && annotations ? { annotations } : {}),
    ...(facts.structuredContent && title !== undefined ? { title } : {}),
    // Only objects can be described before the stateless era.
    ...(facts.structuredContent && outputSchema?.['type'] === 'object' ? { outputSchema } : {}),
    ...(facts.structuredContent && _meta ? { _meta } : {}),
    ...(facts.icons && icons ? { icons } : {}),
  };
}

function callResult(value: Params, facts: RevisionFacts): Params {
  const { structuredContent, content, ...rest } = value as Params & { content?: readonly Content[] };
  const structured =
    facts.structuredContent &&
    typeof structuredContent === 'object' &&
    structuredContent !== null &&
    !Array.isArray(structuredContent);
  const blocks = content ?? [];
  const plain = facts.audio && facts.structuredContent;
  return {
    content: plain ? blocks : blocks.map(block => simplify(block, facts)),
    ...(structured ? { structuredContent } : {}),
    ...rest,
  };
}

function simplify(block: Content, facts: RevisionFacts): Content {
  if (block.type === 'resource_link' && !facts.structuredContent)
    return { type: 'text', text: linkLine(block) };
  if (block.type === 'audio' && !facts.audio) {
    return {
      type: 'text',
      text: `[audio, ${block.mimeType}: this revision of the protocol cannot carry it]`,
    };
  }
  return block;
}

function linkLine(block: ResourceLink): string {
  const about = block.description ? ` - ${block.description}` : '';
  return `[${block.title ?? block.name}](${block.uri})${about}`;
}
