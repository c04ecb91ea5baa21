/** The public names of `tenon/adapters/openai-agents`: tools for the OpenAI Agents SDK. */
export type { AdapterOptions, Tools } from '../../adapters/calls/adapter-options.ts';
export type { AgentsTool } from '../../adapters/openai-agents/definitions.ts';
export { toOpenAIAgentsTools } from '../../adapters/openai-agents/index.ts';
export type { AgentsOutput } from '../../adapters/openai-agents/results.ts';
