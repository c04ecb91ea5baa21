/** The public names of `tenon/adapters/anthropic`: tools for the Anthropic SDK, raw and for its tool runner. */
export type { AnthropicRunnable, AnthropicTool } from '../../adapters/anthropic/definitions.ts';
export {
  type AnthropicRunnableOptions,
  type AnthropicTools,
  toAnthropicRunnables,
  toAnthropicTools,
} from '../../adapters/anthropic/index.ts';
export type { ResultBlock, ToolResultBlock } from '../../adapters/anthropic/results.ts';
export type { AdapterOptions, Tools } from '../../adapters/calls/adapter-options.ts';
export { CallsError, type FailedCall, isCallsError } from '../../adapters/calls/calls-error.ts';
export type { RunCallsOptions } from '../../adapters/calls/run-all.ts';
