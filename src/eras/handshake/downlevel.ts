/** Newer results in the shapes of older revisions: what a revision cannot express is said in text or left out. */
import { isObject, keepPrinted } from '../../basics/json.ts';
import type { PromptListing, ResourceListing, ResourceTemplateListing } from '../../protocol/listings.ts';
import type { ToolListing } from '../../protocol/tool-listing.ts';
import type { Params } from '../../rpc/message.ts';
import type { Annotations, Content } from '../../tools/content.ts';
import { simplify } from './downlevel-content.ts';
import type { RevisionFacts } from './revisions.ts';

/** Lists are the same object until they change, so each is rewritten once per revision. */
const rewritten = new WeakMap<RevisionFacts, WeakMap<Params, Params>>();

/** Per list: the member that holds its entries, and how one of them is rewritten. */
const lists: Readonly<
  Record<string, readonly [member: string, (entry: never, facts: RevisionFacts) => object]>
> = {
  'tools/list': ['tools', toolListing],
  'prompts/list': ['prompts', promptListing],
  'resources/list': ['resources', resourceListing],
  'resources/templates/list': ['resourceTemplates', resourceListing],
};

/** The result of `method` as a client of this revision reads it. Never changes its argument. */
export function downlevel(method: string, value: Params, facts: RevisionFacts): Params {
  if (method === 'tools/call') {
    const plain = facts.audio && facts.structuredContent;
    // What nearly every call gives to a client of a late revision.
    if (plain && value['structuredContent'] === undefined && value['content'] !== undefined) return value;
    return callResult(value, facts, plain);
  }
  if (method === 'prompts/get') return promptResult(value, facts);
  const list = Object.hasOwn(lists, method) ? lists[method] : undefined;
  if (!list || !Array.isArray(value[list[0]])) return value;
  const [member, rewrite] = list;
  const make = (): Params => {
    const entries = value[member] as readonly never[];
    return { ...value, [member]: entries.map(entry => rewrite(entry, facts)) };
  };
  return Object.isFrozen(value) ? keep(value, facts, make) : make();
}

function keep(value: Params, facts: RevisionFacts, make: () => Params): Params {
  let cache = rewritten.get(facts);
  if (!cache) {
    cache = new WeakMap();
    rewritten.set(facts, cache);
  }
  let list = cache.get(value);
  if (!list) {
    list = keepPrinted(make());
    cache.set(value, list);
  }
  return list;
}

function toolListing(tool: ToolListing, facts: RevisionFacts): object {
  const { outputSchema, annotations, ...rest } = tool;
  return {
    ...named(rest, facts),
    ...(facts.toolAnnotations && annotations ? { annotations } : {}),
    // Only objects can be described before the stateless era.
    ...(facts.structuredContent && outputSchema?.['type'] === 'object' ? { outputSchema } : {}),
  };
}

function promptListing(prompt: PromptListing, facts: RevisionFacts): object {
  const { arguments: args, ...rest } = prompt;
  return {
    ...named(rest, facts),
    ...(args ? { arguments: args.map(argument => named(argument, facts)) } : {}),
  };
}

function resourceListing(resource: ResourceListing | ResourceTemplateListing, facts: RevisionFacts): object {
  const { annotations, ...rest } = resource;
  return { ...named(rest, facts), ...annotated(annotations, facts) };
}

/** What every entry may have beside its name. */
function named(
  entry: {
    readonly title?: string;
    readonly icons?: readonly object[];
    readonly _meta?: Params;
  },
  facts: RevisionFacts,
): object {
  const { title, icons, _meta, ...basic } = entry;
  return {
    ...basic,
    ...(facts.structuredContent && title !== undefined ? { title } : {}),
    ...(facts.structuredContent && _meta ? { _meta } : {}),
    ...(facts.icons && icons ? { icons } : {}),
  };
}

function annotated(annotations: Annotations | undefined, facts: RevisionFacts): object {
  if (!annotations || facts.structuredContent) return annotations ? { annotations } : {};
  const { lastModified: _tooNew, ...known } = annotations;
  return { annotations: known };
}

/** `plain`: every kind of content is known. */
function callResult(value: Params, facts: RevisionFacts, plain: boolean): Params {
  const { structuredContent, content, ...rest } = value as Params & { content?: readonly Content[] };
  const structured = facts.structuredContent && isObject(structuredContent);
  const blocks = content ?? [];
  return {
    content: plain ? blocks : blocks.map(block => simplify(block, facts)),
    ...(structured ? { structuredContent } : {}),
    ...rest,
  };
}

function promptResult(value: Params, facts: RevisionFacts): Params {
  if ((facts.audio && facts.structuredContent) || !Array.isArray(value['messages'])) return value;
  const messages = value['messages'] as readonly { readonly content: Content }[];
  return {
    ...value,
    messages: messages.map(message => ({ ...message, content: simplify(message.content, facts) })),
  };
}
