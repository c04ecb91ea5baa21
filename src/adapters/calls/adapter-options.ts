/** What every adapter takes: tools or where they come from, and how they are offered. */
import type { ApproveTool } from '../../agent/approval/decisions.ts';
import type { Clock } from '../../basics/clock.ts';
import type { FamilyName } from '../../projection/family.ts';
import type { DroppedDefinition, Loss } from '../../projection/projection.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { ToolSource } from '../../tools/tool-source.ts';

/** Tools, or a source of them such as `toolset(client)`, which is asked once. */
export type Tools = readonly AnyTool[] | ToolSource;

export interface AdapterOptions {
  /** Whose rules names and schemas are brought to; each adapter says what it is unless set. */
  readonly family?: FamilyName | undefined;
  /**
   * Whether the model can be shown media of this type in a tool result. Each adapter says what is shown unless set;
   * everything else becomes one line of text that names it.
   */
  readonly shows?: ((mimeType: string) => boolean) | undefined;
  /** False to judge arguments exactly as the model wrote them; slips such as null for what is optional are mended unless set. */
  readonly tidy?: boolean | undefined;
  /**
   * Decides about calls of tools that need approval. Where it is missing the library asks, if it can; else such calls
   * fail.
   */
  readonly approve?: ApproveTool | undefined;
  /** Told of each tool that is left out because it cannot be used; the others are not affected. */
  readonly onDrop?: ((dropped: DroppedDefinition) => void) | undefined;
  /** Told of each thing that a schema says and the model is not shown; arguments are checked against it all the same. */
  readonly onLoss?: ((loss: Loss) => void) | undefined;
  /** Aborts the listing of a source. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/** What an adapter stands for itself where nothing is set. */
export interface AdapterDefaults {
  /** For messages, such as `toAiSdkTools`. */
  readonly name: string;
  readonly family: FamilyName;
  readonly shows: (mimeType: string) => boolean;
}
