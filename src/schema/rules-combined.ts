/** Keywords that apply other schemas to the same value: alternatives, conditions, references. */
import { mergeAlternatives } from './alternatives.ts';
import type { Issue } from './issues.ts';
import { phrases } from './phrases.ts';
import { all, type CompileKeyword, inPlace, type Rule, type Seat } from './rule.ts';

const branchesOf = (value: unknown, { rule }: Seat): Rule[] =>
  (value as readonly unknown[]).map(each => inPlace(rule(each)));

const alternatives =
  (keyword: 'anyOf' | 'oneOf'): CompileKeyword =>
  (value, seat) => {
    const branches = branchesOf(value, seat);
    const enough = (count: number): boolean => (keyword === 'anyOf' ? count > 0 : count === 1);
    return (given, path, issues, seen) => {
      if (issues === undefined && seen === undefined && keyword === 'anyOf') {
        return branches.some(branch => branch(given, path));
      }
      const reasons: (readonly Issue[])[] = [];
      for (const branch of branches) {
        const found: Issue[] = [];
        if (!branch(given, path, issues && found, seen)) reasons.push(found);
      }
      const fitting = branches.length - reasons.length;
      if (enough(fitting)) return true;
      if (fitting > 0) issues?.push({ path, message: phrases.severalFit, keyword });
      else issues?.push(...mergeAlternatives(keyword, path, reasons));
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
