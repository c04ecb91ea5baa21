/** Judges a value by a rule within bounds; never throws for a value. */
import type { Issue } from './issues.ts';
import { beginPatterns, PatternLimitError } from './pattern.ts';
import { dropUndefined, unfit } from './present.ts';
import { beginWork, type Rule, WorkLimitError } from './rule.ts';
import { beginScope } from './rules.ts';
import { beyondLimits, isStackOverflow, tooDeep, type Verdict } from './verdict.ts';

/** Schemas that may be applied where they refer to each other: so many for any value, and so many more for each part of it. */
const work = { base: 200_000, each: 200 };
/** Levels of a value; deeper ones would exhaust the stack. */
const deepest = 1000;

/** `refers`: the schema has references, so that only the value bounds how often its parts are applied. */
export function judge(rule: Rule, refers: boolean, value: unknown): Verdict<unknown> {
  let allowance = 0;
  if (refers) {
    const size = { parts: 0, deepest };
    if (dropUndefined(value, size) === unfit) return beyondLimits(`${tooDeep} (more than ${deepest} levels)`);
    allowance = work.base + work.each * size.parts;
  }
  const apply = (issues?: Issue[]): boolean => {
    beginPatterns();
    if (refers) {
      beginWork(allowance);
      beginScope();
    }
    return rule(value, [], issues);
  };
  try {
    if (apply()) return { ok: true, value };
    const issues: Issue[] = [];
    apply(issues);
    return { ok: false, issues: [...new Map(issues.map(issue => [printOf(issue), issue])).values()] };
  } catch (error) {
    if (error instanceof PatternLimitError) return beyondLimits(error.message);
    if (error instanceof WorkLimitError) return beyondLimits('the schema asks for too many steps on it');
    if (isStackOverflow(error)) return beyondLimits(tooDeep);
    throw error;
  }
}

/** Some schemas say the same twice. */
function printOf({ path, message }: Issue): string {
  return JSON.stringify([path, message]);
}
