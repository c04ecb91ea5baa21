/** A tool of one of several servers, as options and events speak of it. */
import type { ToolListing } from '../../protocol/tool-listing.ts';

/** What the server says of the tool, and whose it is. Names and annotations are the server's own words. */
export interface ServedTool extends ToolListing {
  /** The key of the server in this toolset. */
  readonly server: string;
}

/** Which tool is meant, whatever the model calls it: `server/tool`. */
export function addressOf({ server, name }: Pick<ServedTool, 'server' | 'name'>): string {
  return `${server}/${name}`;
}

/** A tool that could not be taken over, and why. */
export interface DroppedTool {
  /** The key of its server. */
  readonly server: string;
  /** What its server calls it. */
  readonly tool: string;
  readonly reason: string;
}
