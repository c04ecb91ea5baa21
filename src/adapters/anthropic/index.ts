/** Tools for the Anthropic SDK (`@anthropic-ai/sdk`): for its tool runner, and raw for a loop of one's own. */
import { checkFunction } from '../../basics/option-checks.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { AdapterOptions, Tools } from '../calls/adapter-options.ts';
import { makeCallable } from '../calls/callable-tools.ts';
import { isImage, isPdf, textOf, toPieces } from '../calls/pieces.ts';
import { type RunCallsOptions, runAll } from '../calls/run-all.ts';
import { type AnthropicRunnable, type AnthropicTool, toDefinition } from './definitions.ts';
import { type ResultBlock, type ToolResultBlock, toBlocks, toToolResult } from './results.ts';

/** A call as a message has it; other blocks may be among them. */
export interface ContentBlock {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input?: unknown;
}

export interface AnthropicTools {
  /** For `tools` of `messages.create`. */
  readonly tools: AnthropicTool[];
  /**
   * Runs the `tool_use` blocks of a message's content; gives the content of the user message that answers it. Rejects with
   * a CallsError, which has the blocks, when a call failed in a way that the model cannot mend, after all have ended.
   */
  run(content: readonly ContentBlock[], options?: RunCallsOptions): Promise<ToolResultBlock[]>;
}

export interface AnthropicRunnableOptions extends AdapterOptions {
  /** `ToolError` of `@anthropic-ai/sdk/lib/tools/ToolError`; with it a failure may hold images and keeps its words. */
  readonly ToolError?: (new (content: string | ResultBlock[]) => Error) | undefined;
}

const about = {
  family: 'anthropic',
  shows: (mimeType: string): boolean => isImage(mimeType) || isPdf(mimeType),
} as const;

/** For a loop of one's own: definitions, and one function that turns calls into results. */
export async function toAnthropicTools(tools: Tools, options: AdapterOptions = {}): Promise<AnthropicTools> {
  const callable = await makeCallable(tools, options, { ...about, name: 'toAnthropicTools' });
  return {
    tools: callable.definitions.map(toDefinition),
    run(content, given = {}) {
      const calls = content
        .filter(({ type }) => type === 'tool_use')
        .map(({ id = '', name = '', input }) => ({ id, name, input }));
      return runAll(callable, calls, given, (result, { id }, shows) => toToolResult(result, id, shows));
    },
  };
}

/**
 * For `beta.messages.toolRunner`: what `betaTool()` makes. The runner turns everything that a tool throws into an error
 * result, so a failure that the model cannot mend reaches it too, in words that are fit for it.
 */
export async function toAnthropicRunnables(
  tools: Tools,
  options: AnthropicRunnableOptions = {},
): Promise<AnthropicRunnable[]> {
  const name = 'toAnthropicRunnables';
  checkFunction(name, 'ToolError', options.ToolError, 'the class of @anthropic-ai/sdk/lib/tools/ToolError');
  const callable = await makeCallable(tools, options, { ...about, name });
  return callable.definitions.map(definition => ({
    ...toDefinition(definition),
    type: 'custom',
    parse: content => content,
    run: async (input, context) => {
      const id = context?.toolUse?.id ?? definition.name;
      const signal = context?.signal ?? undefined;
      const result = await callable.run({ id, name: definition.name, input, signal });
      if (!result.isError) return toBlocks(result, id, callable.shows);
      // Throwing is the only way to say that a result is an error.
      if (options.ToolError !== undefined) throw new options.ToolError(toBlocks(result, id, callable.shows));
      throw new ToolError(textOf(toPieces(result, id, () => false)) ?? '');
    },
  }));
}
