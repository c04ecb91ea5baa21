/** Where an agent finds tools that may change: asked again between the turns of a run, never within one. */
import type { AnyTool } from './tool.ts';

export interface ToolSource<Deps = unknown> {
  /**
   * The tools as they are now. An agent asks at the start of a run and before each further call to its model; a list
   * that is the same object as before has not changed. Rejecting ends the run.
   */
  tools(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly AnyTool<Deps>[]>;
}

/** True for what has a `tools` method. */
export function isToolSource(value: unknown): value is ToolSource {
  return typeof (value as { readonly tools?: unknown } | null | undefined)?.tools === 'function';
}
