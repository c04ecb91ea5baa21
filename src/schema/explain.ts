/** Puts into words why a value does not fit, for those who seldom have to: the words are loaded with the judge. */
import { sketchAt } from '../basics/sketch.ts';
import type { ExplainOptions, Issue } from './issues.ts';

/** As `explainIssues`; of a value that looks secret only its length is shown. */
export async function explain(
  issues: readonly Issue[],
  about?: Omit<ExplainOptions, 'show'>,
): Promise<string> {
  const { explainIssues } = await import('./issues.ts');
  return explainIssues(issues, about && { ...about, show: sketchAt });
}
