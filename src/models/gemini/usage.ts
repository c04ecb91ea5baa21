/** What a response used, in our counts; pure. */
import { readCount } from '../provider/decode-error.ts';
import type { TokenUsage } from '../provider/provider.ts';

/** Thoughts are counted apart there and are output here. Throws a ModelError of kind `decode` for odd counts. */
export function readUsage(counts: Readonly<Record<string, unknown>>, provider: string): TokenUsage {
  const count = (name: string): number | undefined => readCount(counts, [name], provider);
  const cachedInputTokens = count('cachedContentTokenCount');
  const reasoningTokens = count('thoughtsTokenCount');
  return {
    inputTokens: (count('promptTokenCount') ?? 0) + (count('toolUsePromptTokenCount') ?? 0),
    outputTokens: (count('candidatesTokenCount') ?? 0) + (reasoningTokens ?? 0),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}
