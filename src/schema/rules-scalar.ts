/** Keywords that judge a value as a whole: its type, its choices, its size. */

import { isObject } from '../basics/json.ts';
import { typeIssue } from './alternatives.ts';
import { compilePattern } from './pattern.ts';
import { phraseChoices, phraseLimit, phrasePattern, phrases } from './phrases.ts';
import { isEqual, presentKeys } from './present.ts';
import { type CompileKeyword, type Rule, test } from './rule.ts';
import { sizeTests, typeTests } from './scalars.ts';

const type: CompileKeyword = value => {
  const names = ([] as unknown[]).concat(value).map(String);
  const tests = names.map(name => typeTests[name]);
  const [only] = tests;
  const fits = tests.length === 1 && only ? only : (given: unknown) => tests.some(each => each?.(given));
  return test(fits, typeIssue([], names).message, 'type');
};

function choices(allowed: readonly unknown[], keyword: string): Rule {
  const plain = new Set(allowed.filter(choice => typeof choice !== 'object' || choice === null));
  const deep = allowed.filter(choice => typeof choice === 'object' && choice !== null);
  const fits = (value: unknown): boolean => plain.has(value) || deep.some(choice => isEqual(choice, value));
  return test(fits, phraseChoices(allowed), keyword);
}

const pattern: CompileKeyword = source => {
  const compiled = compilePattern(source as string);
  const fits = (value: unknown): boolean => typeof value !== 'string' || compiled?.test(value) !== false;
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
  return Array.isArray(value) && new Set(value.map(print)).size < value.length;
}

/** The same text for equal values. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print)}]`;
  if (!isObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const members = presentKeys(value)
    .sort()
    .map(name => `${JSON.stringify(name)}:${print(value[name])}`);
  return `{${members}}`;
}

export const scalarRules: Readonly<Record<string, CompileKeyword>> = {
  type,
  enum: value => choices(value as readonly unknown[], 'enum'),
  const: value => choices([value], 'const'),
  pattern,
  uniqueItems,
  ...Object.fromEntries(Object.keys(sizeTests).map(keyword => [keyword, limit(keyword)])),
};
