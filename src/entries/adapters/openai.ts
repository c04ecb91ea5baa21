/** The public names of `tenon/adapters/openai`: tools for the OpenAI SDK, for chat completions and for responses. */
export type { AdapterOptions, Tools } from '../../adapters/calls/adapter-options.ts';
export { CallsError, type FailedCall, isCallsError } from '../../adapters/calls/calls-error.ts';
export type { RunCallsOptions } from '../../adapters/calls/run-all.ts';
export {
  type ChatCall,
  type ChatTools,
  type ResponseItem,
  type ResponsesTools,
  toChatTools,
  toResponsesTools,
} from '../../adapters/openai/index.ts';
export type { ChatToolMessage, FunctionCallOutput } from '../../adapters/openai/results.ts';
export type { ChatTool, ResponsesTool } from '../../projection/openai-tools.ts';
