/** Keywords that apply other schemas to the same value: alternatives, conditions, references. */
import { mergeAlternatives } from './alternatives.ts';
import { phrases } from './fixed-phrases.ts';
import type { Issue } from './issues.ts';
import { all, type CompileKeyword, inPlace, type Path, type Rule, type Seat, spend } from './rule.ts';

const branchesOf = (value: unknown, { rule }: Seat): Rule[] =>
  (value as readonly unknown[]).map(each => inPlace(rule(each)));

const alternatives =
  (keyword: 'anyOf' | 'oneOf'): CompileKeyword =>
  (value, seat) => {
    const branches = branchesOf(value, seat);
    const reasonsOf = (branch: Rule, given: unknown, path: Path): readonly Issue[] => {
      const found: Issue[] = [];
      branch(given, path, found);
      spend(found.length);
      return found;
    };
    return (given, path, issues, seen) => {
      let fitting = 0;
      for (const branch of branches) {
        if (!branch(given, path, undefined, seen)) continue;
        fitting += 1;
        // What was judged counts by every branch of anyOf that fits.
        if (keyword === 'anyOf' ? seen === undefined : fitting > 1) break;
      }
      if (keyword === 'anyOf' ? fitting > 0 : fitting === 1) return true;
      if (fitting > 0) issues?.push({ path, message: phrases.severalFit, keyword });
      else if (issues) {
        const reasons = branches.map(branch => reasonsOf(branch, given, path));
        issues.push(...mergeAlternatives(keyword, path, reasons));
      }
      return false;
    };
  };

const not: CompileKeyword = (value, { rule }) => {
  const excluded = rule(value);
  return (given, path, issues) => {
    if (!excluded(given, path)) return true;
    issues?.push({ path, message: phrases.excluded, keyword: 'not' });
    return false;
  };
};

const condition: CompileKeyword = (value, { schema, rule }) => {
  const when = inPlace(rule(value));
  const branch = (name: string): Rule =>
    schema[name] === undefined ? () => true : inPlace(rule(schema[name]));
  const [yes, no] = [branch('then'), branch('else')];
  return (given, path, issues, seen) =>
    (when(given, path, undefined, seen) ? yes : no)(given, path, issues, seen);
};

export const combinedRules: Readonly<Record<string, CompileKeyword>> = {
  allOf: (value, seat) => all(branchesOf(value, seat)),
  anyOf: alternatives('anyOf'),
  oneOf: alternatives('oneOf'),
  not,
  if: condition,
  $ref: (value, { refer }) => refer(value as string),
  $dynamicRef: (value, { referAnew }) => {
    const reference = value as string;
    const name = reference.slice(reference.indexOf('#') + 1);
    return referAnew(reference, '$dynamicAnchor', name);
  },
  $recursiveRef: (value, { referAnew }) => referAnew(value as string, '$recursiveAnchor', true),
};
