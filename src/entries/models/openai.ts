/** The public names of `tenon/models/openai`: any endpoint that speaks OpenAI's chat completions. */
export { type OpenAIOptions, openai } from '../../models/openai/index.ts';
