/** Puts into words why a value does not fit, for those who seldom have to: the words are loaded with the judge. */
import type { ExplainOptions, Issue } from './issues.ts';

/** As `explainIssues`. */
export async function explain(issues: readonly Issue[], about?: ExplainOptions): Promise<string> {
  const { explainIssues } = await import('./issues.ts');
  return explainIssues(issues, about);
}
