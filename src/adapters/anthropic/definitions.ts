/** Tools as the Anthropic SDK has them: raw definitions of messages, and the form that its tool runner takes. */
import type { ProjectedTool } from '../../projection/projection.ts';
import type { ResultBlock } from './results.ts';

export interface InputSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** A tool of `messages.create`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: InputSchema;
}

/** What `run` is told beside the arguments. */
export interface RunnableContext {
  readonly toolUse?: { readonly id: string } | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** A tool of `beta.messages.toolRunner`, as `betaTool()` makes one. */
export interface AnthropicRunnable extends AnthropicTool {
  readonly type: 'custom';
  readonly run: (args: unknown, context?: RunnableContext) => Promise<string | ResultBlock[]>;
  readonly parse: (content: unknown) => unknown;
}

export function toDefinition({ name, description, parameters }: ProjectedTool): AnthropicTool {
  return { name, description, input_schema: { ...parameters, type: 'object' } };
}
