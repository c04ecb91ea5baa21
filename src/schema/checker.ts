/** The door to the vendored checker: loaded on first use, asked within bounds, never throws for a value. */
import type { CheckerRemotes } from '../vendor/json-schema.ts';
import { readErrors } from './checker-issues.ts';
import type { Issue } from './issues.ts';
import { beginPatterns, matchesPattern, PatternLimitError } from './pattern.ts';
import { phrases } from './phrases.ts';
import { dropUndefined, unfit } from './present.ts';
import { beyondLimits, isStackOverflow, tooDeep, type Verdict } from './verdict.ts';

type Checker = typeof import('../vendor/json-schema.ts');

let loaded: Checker | undefined;
let loading: Promise<Checker> | undefined;

/** Subschemas that may be evaluated: so many for any value, and so many more for each part of it. */
const work = { base: 200_000, each: 200 };
/** Levels of a value; deeper ones would exhaust the stack. */
const deepest = 1000;

/** Judges `value`; at once when the checker is loaded, else once it is. */
export function judge(
  schema: unknown,
  remotes: CheckerRemotes,
  value: unknown,
): Verdict<unknown> | Promise<Verdict<unknown>> {
  if (loaded !== undefined) return judgeWith(loaded, schema, remotes, value);
  loading ??= import('../vendor/json-schema.ts').then(
    checker => {
      loaded = checker;
      return checker;
    },
    (error: unknown) => {
      // The next call tries again.
      loading = undefined;
      throw error;
    },
  );
  return loading.then(checker => judgeWith(checker, schema, remotes, value));
}

function judgeWith(
  checker: Checker,
  schema: unknown,
  remotes: CheckerRemotes,
  value: unknown,
): Verdict<unknown> {
  const size = { parts: 0, deepest };
  const present = dropUndefined(value, size);
  if (present === unfit) return beyondLimits(`${tooDeep} (more than ${deepest} levels)`);
  const allowance = work.base + work.each * size.parts;
  try {
    beginPatterns();
    if (checker.check(remotes, schema, present, allowance, matchesPattern)) return { ok: true, value };
    beginPatterns();
    const issues = readErrors(checker.errors(remotes, schema, present, allowance, matchesPattern), present);
    return { ok: false, issues: issues.length > 0 ? issues : [unexplained] };
  } catch (error) {
    if (error instanceof PatternLimitError) return beyondLimits(error.message);
    if (error instanceof checker.WorkLimitError)
      return beyondLimits('the schema asks for too many steps on it');
    if (isStackOverflow(error)) return beyondLimits(tooDeep);
    throw error;
  }
}

const unexplained: Issue = { path: [], message: phrases.noFit };
