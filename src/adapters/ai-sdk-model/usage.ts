/** Tokens as the versions of the AI SDK count them, as ours. */
import { isObject } from '../../basics/json.ts';
import type { Usage } from '../../models/model.ts';

/** Version 2 tells plain numbers, later ones a breakdown. What is no sensible number counts as not told. */
export function toUsage(usage: unknown): Omit<Usage, 'requests'> {
  if (!isObject(usage)) return { inputTokens: 0, outputTokens: 0 };
  const { inputTokens: input, outputTokens: output } = usage;
  const cached = count(isObject(input) ? input['cacheRead'] : usage['cachedInputTokens']);
  const reasoning = count(isObject(output) ? output['reasoning'] : usage['reasoningTokens']);
  return {
    inputTokens: count(isObject(input) ? input['total'] : input) ?? 0,
    outputTokens: count(isObject(output) ? output['total'] : output) ?? 0,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
