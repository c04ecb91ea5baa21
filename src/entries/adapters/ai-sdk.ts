/** The public names of `tenon/adapters/ai-sdk`: tools for the AI SDK, and its language models as models of ours. */
export type { AiSdkTool } from '../../adapters/ai-sdk/definitions.ts';
export { type AiSdkOptions, toAiSdkTools } from '../../adapters/ai-sdk/index.ts';
export type { SdkVersion } from '../../adapters/ai-sdk/results.ts';
export { type FromAiSdkOptions, fromAiSdk } from '../../adapters/ai-sdk-model/index.ts';
export type { LanguageModel } from '../../adapters/ai-sdk-model/language-model.ts';
export type { AdapterOptions, Tools } from '../../adapters/calls/adapter-options.ts';
export type { CallResult } from '../../adapters/calls/run-call.ts';
