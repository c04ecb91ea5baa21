/** Options of a toolset that name what is not there: told, and where safety hangs on them every call needs approval. */
import { isLiteral } from './glob.ts';
import type { ServedTool } from './served-tool.ts';
import type { Candidate } from './tool-candidates.ts';
import { isNamed, isPatterns, type ToolFilter } from './tool-filter.ts';
import type { ToolsetEvent } from './toolset-events.ts';
import type { ToolsetOptions } from './toolset-options.ts';

export type UnmatchedOption = Omit<Extract<ToolsetEvent, { readonly type: 'unmatched' }>, 'type'>;

/** A pattern of the options. */
export interface WatchedPattern {
  readonly option: UnmatchedOption['option'];
  /** As it is written, and without the sign that turns it round. */
  readonly pattern: string;
  readonly positive: string;
  /** It names one tool that must not run freely: with a slip in the name it would. */
  readonly guards: boolean;
  /** Arguments that are pinned or hidden. */
  readonly names: readonly string[];
}

export interface ServerList {
  readonly key: string;
  /** Absent as long as the server has not listed its tools. */
  readonly tools: readonly Pick<ServedTool, 'name'>[] | undefined;
}

export interface Unmatched {
  readonly options: readonly UnmatchedOption[];
  /** Servers of which every call needs approval. */
  readonly guarded: ReadonlySet<string>;
}

export function watchPatterns(options: ToolsetOptions): readonly WatchedPattern[] {
  const watched: WatchedPattern[] = [];
  for (const option of ['filter', 'needsApproval', 'alwaysShow'] as const) {
    for (const pattern of patternsOf(options[option])) {
      const guards = option === 'needsApproval' && isLiteral(pattern);
      watched.push({ option, pattern, positive: pattern.replace(/^!/, ''), guards, names: [] });
    }
  }
  const adjust = typeof options.adjust === 'object' ? options.adjust : {};
  for (const [pattern, { pin = {}, hide = [], needsApproval }] of Object.entries(adjust)) {
    const guards = isLiteral(pattern) && (needsApproval === true || Object.keys(pin).length > 0);
    const names = [...Object.keys(pin), ...hide];
    watched.push({ option: 'adjust', pattern, positive: pattern.replace(/^!/, ''), guards, names });
  }
  return watched;
}

/** What means no tool of those that are known; nothing is said of servers that may have it and have not listed theirs. */
export function findUnmatched(
  watched: readonly WatchedPattern[],
  servers: readonly ServerList[],
  candidates: readonly Candidate[],
): Unmatched {
  const options: UnmatchedOption[] = [];
  const guarded = new Set<string>();
  for (const each of watched) {
    const { option, pattern, positive, guards, names } = each;
    const own = servers.filter(({ key }) => positive.startsWith(`${key}/`));
    const meant = own.length > 0 ? own : servers;
    if (meant.some(({ tools }) => tools === undefined)) continue;
    const isThere = servers.some(({ key, tools = [] }) =>
      tools.some(({ name }) => isNamed(positive, { server: key, name })),
    );
    if (!isThere) {
      const what = guards ? '; until it does, every call needs approval' : '';
      options.push({
        option,
        pattern,
        reason: `"${option}" names ${JSON.stringify(pattern)}, which means no tool${what}`,
      });
      if (guards) for (const { key } of meant) guarded.add(key);
    }
    const adjusted = names.length === 0 ? [] : candidates.filter(({ served }) => isNamed(pattern, served));
    for (const name of adjusted.length === 0 ? [] : names) {
      if (!adjusted.every(({ held }) => held.unknown.includes(name))) continue;
      const reason = `"adjust" for ${JSON.stringify(pattern)} names the argument ${JSON.stringify(name)}, which no such tool has`;
      options.push({ option, pattern, reason });
    }
  }
  return { options, guarded };
}

function patternsOf(filter: ToolFilter | undefined): readonly string[] {
  if (filter === undefined || typeof filter === 'function') return [];
  if (!isPatterns(filter)) return patternsOf(filter.names);
  return typeof filter === 'string' ? [filter] : filter;
}
