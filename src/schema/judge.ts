/** Judges values by a schema within bounds; never throws for a value. Loaded when the first value comes. */
import type { Inspection } from './inspect.ts';
import type { Issue } from './issues.ts';
import { beginPatterns, PatternLimitError } from './pattern.ts';
import { countParts } from './present.ts';
import { beginWork, mostIssues, type Rule, WorkLimitError } from './rule.ts';
import { beginScope, compileRules } from './rules.ts';
import { beyondLimits, isStackOverflow, tooDeep, type Verdict } from './verdict.ts';

/**
 * Steps for any value, beside one for each character of the schema; so many more for each part of the value, up to
 * `most` (about a second); and so many for each part however many there are.
 */
const work = { base: 200_000, each: 1000, most: 8_000_000, always: 50 };
/** Levels of a value; deeper ones would exhaust the stack. */
const deepest = 1000;

/** A schema that was found usable. */
export interface Inspected {
  readonly schema: unknown;
  /** Its characters as JSON, about. */
  readonly bytes: number;
  /** It has references, so that only the value bounds how deep it goes. */
  readonly refers: boolean;
  /** What was found out about it. */
  inspection(): Inspection;
}

/** Judges by one schema. */
export type Judge = (value: unknown) => Verdict<unknown>;

export function judgeOf({ schema, bytes, refers, inspection }: Inspected): Judge {
  const few = work.base + bytes;
  /** Made for the first value, and within its bounds: a schema may be deeper than the stack allows. */
  let rule: Rule | undefined;
  const ready = (): Rule => {
    rule ??= compileRules(schema, inspection());
    return rule;
  };
  return value => {
    // Nearly every value is done before its size matters.
    const early = refers ? undefined : attempt(ready, value, few);
    if (early) return early;
    const parts = countParts(value, deepest);
    if (parts === Number.POSITIVE_INFINITY) return beyondLimits(`${tooDeep} (more than ${deepest} levels)`);
    const steps = few + Math.min(work.each * parts, work.most) + work.always * parts;
    return attempt(ready, value, steps) ?? beyondLimits('the schema asks for too many steps on it');
  };
}

/** Nothing when it takes more steps. */
function attempt(ready: () => Rule, value: unknown, steps: number): Verdict<unknown> | undefined {
  try {
    const rule = ready();
    begin(steps);
    if (rule(value, [])) return { ok: true, value };
    const issues: Issue[] = [];
    begin(steps);
    rule(value, [], issues);
    return { ok: false, issues: distinct(issues) };
  } catch (error) {
    if (error instanceof WorkLimitError) return undefined;
    if (error instanceof PatternLimitError) return beyondLimits(error.message);
    if (isStackOverflow(error)) return beyondLimits(tooDeep);
    throw error;
  }
}

function begin(steps: number): void {
  beginPatterns();
  beginWork(steps);
  beginScope();
}

/** Some schemas say the same twice. */
function distinct(issues: readonly Issue[]): readonly Issue[] {
  const found = [
    ...new Map(issues.map(issue => [JSON.stringify([issue.path, issue.message]), issue])).values(),
  ];
  if (issues.length <= mostIssues) return found;
  const message = `only the first ${mostIssues} reasons were looked for`;
  return [...found.slice(0, mostIssues), { path: [], message, keyword: 'limit' }];
}
