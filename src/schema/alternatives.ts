/** Why none of several alternatives fits, told as a reader wants it: the reasons of the one that was meant. */

import { phrases } from './fixed-phrases.ts';
import type { Issue } from './issues.ts';
import { phraseTypes } from './phrases.ts';

/**
 * The reasons worth telling when none of several alternatives fits: those of the one alternative that was nearly met,
 * the types asked for when every alternative fails by type, else one issue that says just that.
 */
export function mergeAlternatives(
  keyword: 'anyOf' | 'oneOf',
  path: Issue['path'],
  branches: readonly (readonly Issue[])[],
): readonly Issue[] {
  const scores = branches.map(issues => scoreOf(issues, path.length));
  const best = Math.min(...scores);
  const nearest = branches.filter((_, index) => scores[index] === best);
  if (best < wrongType && nearest.length === 1) return nearest[0] ?? [];
  if (best === wrongType) {
    const expected = nearest.flat().filter(issue => issue.path.length === path.length);
    const message = [...new Set(expected.map(issue => issue.message.replace(/^must be /, '')))].join(' or ');
    return [{ path, message: `must be ${message}`, keyword }];
  }
  return [{ path, message: phrases.noneFits, keyword }];
}

/** An issue that says the value is of none of the types. */
export function typeIssue(path: Issue['path'], types: readonly string[]): Issue {
  return { path, message: phraseTypes(types), keyword: 'type' };
}

const wrongType = 1000;

/** How far an alternative is from being met; one whose type or own constant is wrong was not meant. */
function scoreOf(issues: readonly Issue[], depth: number): number {
  let score = issues.length;
  for (const { path, keyword } of issues) {
    if (path.length === depth && (keyword === 'type' || keyword === 'const' || keyword === 'enum'))
      return wrongType;
    if (path.length === depth + 1 && keyword === 'const') score += 50;
    if (path.length === depth + 1 && keyword === 'enum') score += 20;
  }
  return score;
}
