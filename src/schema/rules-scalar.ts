/** Keywords that judge a value as a whole: its type, its choices, its size. */

import { typeIssue } from './alternatives.ts';
import { phrases } from './fixed-phrases.ts';
import { namedTypes } from './named-types.ts';
import { compilePattern } from './pattern.ts';
import { phraseChoices, phraseLimit, phrasePattern } from './phrases.ts';
import { printEqual } from './present.ts';
import { type CompileKeyword, type Rule, spend, test } from './rule.ts';
import { sizeTests } from './scalars.ts';
import { typeTests } from './type-tests.ts';

const type: CompileKeyword = (_value, { schema }) => {
  const names = namedTypes(schema);
  const tests = names.map(name => typeTests[name]);
  const [only] = tests;
  const fits = tests.length === 1 && only ? only : (given: unknown) => tests.some(each => each?.(given));
  return test(fits, typeIssue([], names).message, 'type');
};

function choices(allowed: readonly unknown[], keyword: string): Rule {
  const isDeep = (value: unknown): boolean => typeof value === 'object' && value !== null;
  const plain = new Set(allowed.filter(choice => !isDeep(choice)));
  let deep: ReadonlySet<string> | undefined;
  const fits = (value: unknown): boolean => {
    if (!isDeep(value)) return plain.has(value);
    if (plain.size === allowed.length) return false;
    deep ??= new Set(allowed.filter(isDeep).map(printEqual));
    return deep.has(printEqual(value));
  };
  return test(fits, phraseChoices(allowed), keyword);
}

const pattern: CompileKeyword = source => {
  const compiled = compilePattern(source as string);
  const fits = (value: unknown): boolean => {
    if (typeof value !== 'string' || compiled === undefined) return true;
    spend(compiled.weigh(value.length));
    return compiled.test(value);
  };
  return test(fits, phrasePattern(source), 'pattern');
};

/** draft-04 wrote `true` beside a limit to exclude it. */
const exclusives: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum',
};

const limit =
  (keyword: string): CompileKeyword =>
  (limit, { schema }) => {
    if (typeof limit !== 'number') return undefined;
    const exclusive = exclusives[keyword];
    const meant = exclusive !== undefined && schema[exclusive] === true ? exclusive : keyword;
    const fits = sizeTests[meant];
    return fits && test(value => fits(value, limit), phraseLimit(meant, limit) ?? phrases.noFit, meant);
  };

const uniqueItems: CompileKeyword = value =>
  value === true ? test(given => !hasEqualItems(given), phrases.unique, 'uniqueItems') : undefined;

function hasEqualItems(value: unknown): boolean {
  return Array.isArray(value) && new Set(value.map(printEqual)).size < value.length;
}

export const scalarRules: Readonly<Record<string, CompileKeyword>> = {
  type,
  enum: value => choices(value as readonly unknown[], 'enum'),
  const: value => choices([value], 'const'),
  pattern,
  uniqueItems,
  ...Object.fromEntries(Object.keys(sizeTests).map(keyword => [keyword, limit(keyword)])),
};
