/** The tools of one or several servers, for an agent to use as its own; what it is to whoever uses it. */
import type { AnyTool } from '../../tools/tool.ts';
import type { ToolSource } from '../../tools/tool-source.ts';
import type { Pins } from './definition-hash.ts';
import { LiveToolset } from './live-toolset.ts';
import type { DroppedTool } from './served-tool.ts';
import { readServers, type ToolsetServers } from './server-sources.ts';
import type { ServerStatus } from './server-status.ts';
import { checkToolsetOptions, type ToolsetOptions } from './toolset-options.ts';

/** How a list is asked for. */
export interface ToolsetRequest {
  readonly signal?: AbortSignal | undefined;
}

export interface Toolset extends ToolSource, AsyncDisposable {
  /**
   * The tools as they are now, in the order of the servers and of their lists; the same array while nothing changed. The
   * first call connects and lists all servers at once; later ones read again what was said to have changed, and try
   * again what failed. A server that fails loses its own tools only; rejects when all failed and none ever worked.
   */
  tools(options?: ToolsetRequest): Promise<readonly AnyTool[]>;
  /** Reads all lists again, whatever the servers said, and tries at once what failed. */
  refresh(options?: ToolsetRequest): Promise<readonly AnyTool[]>;
  /** How each server is doing, in order. */
  servers(): readonly ServerStatus[];
  /** What was left out of the last list, and why. */
  dropped(): readonly DroppedTool[];
  /**
   * The hashes of all definitions as they are now, blocked ones too, by `server/tool`: to be looked at, stored, and
   * given as `pinned` later.
   */
  pins(options?: ToolsetRequest): Promise<Pins>;
  /** Stops watching, ends calls, and closes the clients that the toolset connected; others stay open. Never rejects. */
  close(): Promise<void>;
}

/**
 * The tools of these servers. Give the toolset to an agent, which asks it before each turn, or the result of `tools()`.
 * Nothing is asked of a server before that. Throws a TypeError that names what cannot be used.
 */
export function toolset(servers: ToolsetServers, options: ToolsetOptions = {}): Toolset {
  const sources = readServers(servers);
  checkToolsetOptions(
    options,
    sources.map(({ key }) => key),
  );
  return new LiveToolset(sources, options);
}
