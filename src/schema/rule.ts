/** A compiled schema is one function: this is its shape, how many of them become one, and the bounds on their work. */
import type { Issue } from './issues.ts';

export type Path = readonly (string | number)[];

/** Names or indexes that some keyword has judged, of the value at hand. */
export type Seen = Set<string | number>;

/**
 * True when the value fits. With `issues`, goes on after the first fault and adds a reason for each. With `seen`, notes
 * what was judged, for keywords that judge the rest.
 */
export type Rule = (value: unknown, path: Path, issues?: Issue[], seen?: Seen) => boolean;

/** What the compiler of one keyword is given beside the keyword's value. */
export interface Seat {
  /** The schema that the keyword stands in. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The rule of a schema within the keyword. */
  rule(schema: unknown): Rule;
  /** The rule of what a reference leads to; nothing where it leads nowhere. */
  readonly refer: (reference: string) => Rule | undefined;
  /** As `refer`, from the outermost schema in use that has such an anchor. */
  readonly referAnew: (reference: string, anchor: string, mark: unknown) => Rule | undefined;
}

/** Makes the rule of a keyword; nothing where the keyword says nothing here. */
export type CompileKeyword = (value: unknown, seat: Seat) => Rule | undefined;

/** The rule for one test of the whole value. */
export function test(fits: (value: unknown) => boolean, message: string, keyword: string): Rule {
  return (value, path, issues) => {
    if (fits(value)) return true;
    issues?.push({ path, message, keyword });
    return false;
  };
}

/** Reasons that are collected for one value; a value has few that are read, and a hostile schema finds millions. */
export const mostIssues = 100;

/** True when the first fault decides: nobody asks for reasons, or there are enough, and one more that says so. */
export function isEnough(issues: readonly Issue[] | undefined): boolean {
  return issues === undefined || issues.length > mostIssues;
}

/** All of them; when the first is the `type` and does not fit, nothing else is worth telling. */
export function all(rules: readonly Rule[], typed = false): Rule {
  return (value, path, issues, seen) => {
    spend(1);
    let fits = true;
    // By index, here and in the rules of properties: an iterator takes longer than what it goes over.
    for (let at = 0; at < rules.length; at += 1) {
      if (rules[at]?.(value, path, issues, seen)) continue;
      if (isEnough(issues) || (typed && at === 0)) return false;
      fits = false;
    }
    return fits;
  };
}

/** Applies a rule to the same value: what it has judged counts only when it fits. */
export function inPlace(rule: Rule): Rule {
  return (value, path, issues, seen) => {
    if (seen === undefined) return rule(value, path, issues);
    const own: Seen = new Set();
    if (!rule(value, path, issues, own)) return false;
    spend(own.size);
    for (const each of own) seen.add(each);
    return true;
  };
}

/** The schema asks for more steps than the value is worth. */
export class WorkLimitError extends Error {}

const work = { left: Number.POSITIVE_INFINITY };

/** Begins the count for another value. */
export function beginWork(steps: number): void {
  work.left = steps;
}

/**
 * Counts work: a step for each schema that is applied, and about as much for each 50 ns of a keyword whose work grows
 * with the schema and with the value. Throws a `WorkLimitError` when none is left.
 */
export function spend(steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw new WorkLimitError();
}
