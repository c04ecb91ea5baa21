/** One call on its way to a server, as wrappers and whoever approves it see it. */
import type { ToolContext } from '../../tools/context.ts';
import type { ToolAnnotations, ToolResult } from '../../tools/tool.ts';

export type SentArguments = Readonly<Record<string, unknown>>;

export interface BridgedCall {
  /** The key of the server. */
  readonly server: string;
  /** What the server calls the tool. */
  readonly tool: string;
  /** What the model calls it. */
  readonly name: string;
  /** Those that are sent, pinned ones included. */
  readonly arguments: SentArguments;
  /** What the server says of the tool's effects; believe it only of a server that you trust. */
  readonly annotations: ToolAnnotations | undefined;
  readonly ctx: ToolContext;
}

/** Stands around calls: may look at, change or answer them. `next` sends the call, with other arguments if given. */
export type ToolWrap = (
  call: BridgedCall,
  next: (args?: SentArguments) => Promise<ToolResult>,
) => ToolResult | Promise<ToolResult>;
