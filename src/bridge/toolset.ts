/** The tools of one or several servers, for an agent to use as its own. */
import { messageOf, TenonError } from '../basics/failure.ts';
import { notify } from '../basics/notify.ts';
import { checkHas } from '../basics/option-checks.ts';
import type { Client } from '../client/client.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import { compileSchema } from '../schema/compile.ts';
import type { AnyTool } from '../tools/tool.ts';
import { bridgeTool } from './bridged-tool.ts';

/** A tool that could not be taken over, and why. */
export interface DroppedTool {
  /** What the server calls itself. */
  readonly server: string;
  readonly tool: string;
  readonly reason: string;
}

export interface ToolsetOptions {
  /** Takes a tool over only when this is true of it; all are by default. */
  readonly filter?: ((tool: ToolListing, client: Client) => boolean) | undefined;
  /** Told of each tool that is left out because it cannot be used; the others are not affected. */
  readonly onDrop?: ((dropped: DroppedTool) => void) | undefined;
}

export interface Toolset {
  /**
   * Lists the servers, all at once, and gives their tools in the order of the servers and of their lists. Rejects with
   * what a list fails with, or with a `TenonError` when two servers have a tool of the same name.
   */
  tools(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly AnyTool[]>;
}

/** Give the result of `tools()` to an agent, alone or among others. */
export function toolset(clients: Client | readonly Client[], options: ToolsetOptions = {}): Toolset {
  const servers = Array.isArray(clients) ? (clients as readonly Client[]) : [clients as Client];
  for (const [index, client] of servers.entries()) {
    const name = Array.isArray(clients) ? `clients[${index}]` : 'the first argument';
    checkHas('toolset', name, client, 'tools', 'a client as connect(…) gives it');
  }
  return {
    async tools(request = {}) {
      const lists = await Promise.all(
        servers.map(async client => ({ client, list: await client.tools(request).all() })),
      );
      const owners = new Map<string, Client>();
      return lists.flatMap(({ client, list }) =>
        list.filter(tool => isWanted(tool, client, options)).map(tool => own(tool, client, owners)),
      );
    },
  };
}

function isWanted(tool: ToolListing, client: Client, { filter, onDrop }: ToolsetOptions): boolean {
  if (filter && !filter(tool, client)) return false;
  try {
    compileSchema(tool.inputSchema, { root: 'object' });
    return true;
  } catch (error) {
    notify(onDrop, { server: client.server.name, tool: tool.name, reason: messageOf(error) });
    return false;
  }
}

function own(tool: ToolListing, client: Client, owners: Map<string, Client>): AnyTool {
  const owner = owners.get(tool.name);
  if (owner) {
    throw new TenonError(
      `toolset: ${owner.server.name} and ${client.server.name} both have a tool named "${tool.name}"`,
      { hint: 'Leave one of them out with the option "filter".' },
    );
  }
  owners.set(tool.name, client);
  return bridgeTool(tool, client);
}
