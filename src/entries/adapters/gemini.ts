/** The public names of `tenon/adapters/gemini`: tools for the Gemini SDK, raw and as its callable tool. */
export type { AdapterOptions, Tools } from '../../adapters/calls/adapter-options.ts';
export { CallsError, type FailedCall, isCallsError } from '../../adapters/calls/calls-error.ts';
export type { RunCallsOptions } from '../../adapters/calls/run-all.ts';
export type { FunctionDeclaration, GeminiTool } from '../../adapters/gemini/definitions.ts';
export {
  type GeminiCallableTool,
  type GeminiTools,
  toGeminiCallableTool,
  toGeminiTools,
} from '../../adapters/gemini/index.ts';
export type { FunctionResponsePart } from '../../adapters/gemini/results.ts';
