/** Which tools are meant: by names and patterns, by annotation, or by a function. */
import { checkFunction } from '../../basics/option-checks.ts';
import { sketch } from '../../basics/sketch.ts';
import type { Client } from '../../client/client.ts';
import type { ToolAnnotations } from '../../tools/tool.ts';
import { isListed } from './glob.ts';
import { addressOf, type ServedTool } from './served-tool.ts';

/**
 * Names of tools, as `tool` or `server/tool`, with `*` and `?`. The last pattern that fits decides; one that begins with
 * `!` is against, and a list that begins with such a one means all else.
 */
export type ToolPatterns = string | readonly string[];

/** The hints of a server about its tool that can be asked for. */
export type ToolHints = Pick<
  ToolAnnotations,
  'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'
>;

/** Tools whose hints are these. Only servers whose annotations are trusted have any. */
export interface HintFilter {
  readonly names?: ToolPatterns | undefined;
  readonly annotations: ToolHints;
}

/** A function is asked once per tool and list; what it throws leaves that tool alone out. */
export type ToolFilter = ToolPatterns | HintFilter | ((tool: ServedTool, client: Client) => boolean);

export type ToolTest = (tool: ServedTool, client: Client) => boolean;

/** `isTrusted` says by key whether the annotations of a server count. */
export function compileFilter(filter: ToolFilter, isTrusted: (server: string) => boolean): ToolTest {
  if (typeof filter === 'function') return filter;
  if (isPatterns(filter)) return tool => isNamed(filter, tool);
  const { names = '*', annotations } = filter;
  const wanted = Object.entries(annotations).filter(([, value]) => value !== undefined);
  return tool => {
    if (!isTrusted(tool.server) || !isNamed(names, tool)) return false;
    const said = tool.annotations as Readonly<Record<string, unknown>> | undefined;
    return wanted.every(([hint, value]) => said?.[hint] === value);
  };
}

/** Whether the patterns mean this tool, by its own name or with that of its server before it. */
export function isNamed(patterns: ToolPatterns, tool: Pick<ServedTool, 'server' | 'name'>): boolean {
  return isListed(typeof patterns === 'string' ? [patterns] : patterns, [tool.name, addressOf(tool)]);
}

/** Throws a TypeError that names the option when it is no filter. */
export function checkFilter(where: string, name: string, filter: unknown): void {
  if (filter === undefined || isPatterns(filter)) return;
  if (typeof filter === 'object' && filter !== null) {
    const { names, annotations } = filter as Partial<HintFilter>;
    const isObject = typeof annotations === 'object' && annotations !== null;
    if (isObject && (names === undefined || isPatterns(names))) return;
    throw new TypeError(
      `${where}: ${name} must have annotations, and names only as patterns, got ${sketch(filter)}`,
    );
  }
  checkFunction(where, name, filter, 'a pattern, a list of patterns, { annotations } or a function');
}

export function isPatterns(value: unknown): value is ToolPatterns {
  return typeof value === 'string' || (Array.isArray(value) && value.every(each => typeof each === 'string'));
}
