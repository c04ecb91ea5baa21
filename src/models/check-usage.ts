/** The check that what a model says it used can be counted: no limit would ever bite on what cannot. */
import { isCount } from './countable-usage.ts';
import type { Usage } from './model.ts';
import { ModelError } from './model-error.ts';

/** The same usage. Throws a ModelError of kind `decode` unless each number is finite and at least 0. */
export function checkUsage(usage: Usage, provider: string): Usage {
  const given: Readonly<Partial<Record<keyof Usage, unknown>>> = usage ?? {};
  for (const name of ['inputTokens', 'outputTokens', 'requests'] as const) {
    const found = given[name];
    if (isCount(found)) continue;
    const shown = typeof found === 'number' ? String(found) : typeof found;
    throw new ModelError(`${provider}: usage.${name} is ${shown}, which limits and budgets cannot count`, {
      kind: 'decode',
      provider,
      hint: 'The model must report finite numbers of at least 0, or leave its usage part out.',
    });
  }
  return usage;
}
