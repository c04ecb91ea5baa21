/** The token counts of a chat answer, in our words; pure. */
import type { TokenUsage } from '../provider/provider.ts';
import type { TokenCounts } from '../provider/token-counts.ts';

export function readUsage(usage: unknown, counts: TokenCounts): TokenUsage {
  const told = counts.members(usage, 'usage');
  const input = counts.members(told['prompt_tokens_details'], 'prompt_tokens_details');
  const output = counts.members(told['completion_tokens_details'], 'completion_tokens_details');
  const cachedInputTokens = counts.read(input, 'cached_tokens');
  const reasoningTokens = counts.read(output, 'reasoning_tokens');
  return {
    inputTokens: counts.read(told, 'prompt_tokens', 'input_tokens') ?? 0,
    outputTokens: counts.read(told, 'completion_tokens', 'output_tokens') ?? 0,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
