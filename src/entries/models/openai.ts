/** The public names of `tenon/models/openai`: OpenAI's two endpoints, and all servers that speak like them. */
export { type OpenAIOptions, openai } from '../../models/openai/index.ts';
export { type OpenAIResponsesOptions, openaiResponses } from '../../models/openai-responses/index.ts';
