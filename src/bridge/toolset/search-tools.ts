/** The two small tools by which a model finds others among hundreds: one searches, one describes and loads. */
import { shorten } from '../../basics/shorten.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { CatalogEntry } from './tool-catalog.ts';

export const searchToolNames = { find: 'find_tools', describe: 'describe_tool' } as const;

/** What the two tools work on. */
export interface ToolShelf {
  /** Every tool that there is, as it is now. */
  entries(): readonly CatalogEntry[];
  find(query: string, most: number): readonly CatalogEntry[];
  /** Makes a tool part of the list from the next turn on; says what left it, or that it does not fit at all. */
  load(entry: CatalogEntry): { readonly ok: true; readonly left: readonly string[] } | { readonly ok: false };
}

const usualResults = 8;
const mostResults = 25;
const longestLine = 140;

export function searchTools(shelf: ToolShelf): readonly AnyTool[] {
  const find = tool({
    name: searchToolNames.find,
    description:
      'Finds tools that are not in your list yet by what they do. Gives names with one line each; then call ' +
      `${searchToolNames.describe} for the one you need.`,
    input: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words for what has to be done.' },
        limit: { type: 'integer', minimum: 1, maximum: mostResults },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ query, limit = usualResults }) => {
      const found = shelf.find(query, limit);
      return found.length === 0 ? nothingFound(query, shelf.entries()) : found.map(lineOf).join('\n');
    },
  });
  const describe = tool({
    name: searchToolNames.describe,
    description: `Gives the whole definition of a tool that ${searchToolNames.find} named. It is in your list from your next turn on.`,
    input: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: ({ name }) => describeTool(name, shelf),
  });
  return [find, describe] as readonly AnyTool[];
}

function describeTool(name: string, shelf: ToolShelf): string {
  const entry = pick(name, shelf.entries());
  if (entry === undefined) {
    const close = shelf.find(name, 3).map(({ tool: each }) => each.name);
    const remedy =
      close.length > 0 ? `did you mean ${close.join(', ')}?` : `search with ${searchToolNames.find}`;
    throw new ToolError(`There is no tool named ${JSON.stringify(shorten(name, 100))}; ${remedy}`);
  }
  const { name: own, description, input } = entry.tool;
  const loaded = shelf.load(entry);
  if (!loaded.ok) {
    throw new ToolError(
      `The definition of ${own} takes about ${entry.tokens} tokens, more than there is room for; use another tool`,
    );
  }
  const gone =
    loaded.left.length === 0 ? '' : ` To make room, these left your list: ${loaded.left.join(', ')}.`;
  const definition = JSON.stringify({ name: own, description, parameters: input });
  return `${definition}\n${own} is in your list from your next turn on.${gone}`;
}

/** By its name, or by one that a provider made of it: signs and case do not matter as long as only one fits. */
function pick(name: string, entries: readonly CatalogEntry[]): CatalogEntry | undefined {
  const exact = entries.find(({ tool: each }) => each.name === name);
  if (exact !== undefined) return exact;
  const close = entries.filter(({ tool: each }) => fold(each.name) === fold(name));
  return close.length === 1 ? close[0] : undefined;
}

function fold(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_').toLowerCase();
}

function lineOf({ tool: each }: CatalogEntry): string {
  // One tool is one line, whatever its server put into the name.
  const name = each.name.replace(/\s+/g, ' ');
  const [first = ''] = each.description.trim().split(/[\r\n]+/);
  return first === '' ? name : `${name}: ${shorten(first, longestLine)}`;
}

function nothingFound(query: string, entries: readonly CatalogEntry[]): string {
  const counts = new Map<string, number>();
  for (const { candidate } of entries) {
    counts.set(candidate.served.server, (counts.get(candidate.served.server) ?? 0) + 1);
  }
  const servers = [...counts].map(([server, count]) => `${server} (${count})`).join(', ') || 'no server';
  return `Nothing fits ${JSON.stringify(shorten(query, 100))}; try other words. There are tools of: ${servers}.`;
}
