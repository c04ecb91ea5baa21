/** What a response used, in our counts; pure. */
import type { TokenUsage } from '../provider/provider.ts';
import type { TokenCounts } from '../provider/token-counts.ts';

/** Thoughts are counted apart there and are output here. */
export function readUsage(told: Readonly<Record<string, unknown>>, counts: TokenCounts): TokenUsage {
  const count = (name: string): number | undefined => counts.read(told, name);
  const cachedInputTokens = count('cachedContentTokenCount');
  const reasoningTokens = count('thoughtsTokenCount');
  return {
    inputTokens: (count('promptTokenCount') ?? 0) + (count('toolUsePromptTokenCount') ?? 0),
    outputTokens: (count('candidatesTokenCount') ?? 0) + (reasoningTokens ?? 0),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
