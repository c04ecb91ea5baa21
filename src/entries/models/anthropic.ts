/** The public names of `tenon/models/anthropic`: Anthropic's Messages API. */
export { type AnthropicOptions, anthropic } from '../../models/anthropic/index.ts';
