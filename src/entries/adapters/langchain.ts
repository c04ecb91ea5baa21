/** The public names of `tenon/adapters/langchain`: tools for LangChain. */
export type { AdapterOptions, Tools } from '../../adapters/calls/adapter-options.ts';
export type { CallResult } from '../../adapters/calls/run-call.ts';
export type { LangChainFields, ToolFactory } from '../../adapters/langchain/definitions.ts';
export {
  type LangChainOptions,
  type ToolMessageFields,
  toLangChainTools,
} from '../../adapters/langchain/index.ts';
export type { LangChainContent } from '../../adapters/langchain/results.ts';
