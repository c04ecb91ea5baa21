/** Usage of which only is left what can be counted. */
import type { Usage } from './model.ts';

/** For failures, which have their own story to tell: what is not finite or below 0 counts as 0. */
export function countableUsage(usage: Usage): Usage {
  const given = usage as Readonly<Record<keyof Usage, unknown>>;
  const {
    inputTokens,
    outputTokens,
    requests,
    cachedInputTokens: cached,
    reasoningTokens: reasoning,
  } = given;
  return {
    inputTokens: orNone(inputTokens),
    outputTokens: orNone(outputTokens),
    requests: orNone(requests),
    ...(isCount(cached) ? { cachedInputTokens: cached } : {}),
    ...(isCount(reasoning) ? { reasoningTokens: reasoning } : {}),
  };
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function orNone(value: unknown): number {
  return isCount(value) ? value : 0;
}
