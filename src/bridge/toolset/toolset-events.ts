/** What a toolset tells while it lives. */
import type { Drift } from './drift-guard.ts';
import type { DroppedTool } from './served-tool.ts';
import type { ServerStatus } from './server-status.ts';

/** What is different from the list before, by the names that the model knows; in the order of the lists. */
export interface ToolsetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Of these, name and server are the same and the definition is not. */
  readonly changed: readonly string[];
}

export type ToolsetEvent =
  /** A server entered another state. */
  | { readonly type: 'server'; readonly server: ServerStatus }
  /** A server says that its tools changed; the list is read again when it is asked for next. */
  | { readonly type: 'stale'; readonly server: string }
  | ({ readonly type: 'change' } & ToolsetChange)
  | ({ readonly type: 'drop' } & DroppedTool)
  | { readonly type: 'drift'; readonly drift: Drift; readonly blocked: boolean }
  | {
      readonly type: 'approval';
      readonly server: string;
      readonly tool: string;
      readonly allowed: boolean;
      readonly reason?: string;
    }
  /** A pattern of the options means no tool, or an argument of `adjust` no argument: a slip, or it is gone. Told once. */
  | {
      readonly type: 'unmatched';
      readonly option: 'filter' | 'needsApproval' | 'alwaysShow' | 'adjust';
      readonly pattern: string;
      readonly reason: string;
    }
  /** Search-then-load: a definition came into the list, or left it to make room. */
  | { readonly type: 'loaded' | 'unloaded'; readonly tool: string };
