/** Judges by schemas made of everyday keywords alone, at once and without the checker; the same verdicts as the checker. */

import { isObject } from '../basics/json.ts';
import { mergeAlternatives, typeIssue } from './alternatives.ts';
import type { Issue } from './issues.ts';
import { typeNames } from './keywords.ts';
import { compilePattern } from './pattern.ts';
import { phraseChoices, phraseLimit, phrasePattern, phrases } from './phrases.ts';
import { isEqual, own, presentKeys } from './present.ts';
import { sizeTests, typeTests } from './scalars.ts';

type Path = readonly (string | number)[];

/** True when the value fits. With `issues`, goes on after the first fault and adds a reason for each. */
export type Rule = (value: unknown, path: Path, issues?: Issue[]) => boolean;

/** Keywords that say nothing about values; definitions count here because no `$ref` is judged. */
const annotations =
  /^(\$schema|\$comment|\$defs|definitions|title|description|default|examples|format|deprecated|readOnly|writeOnly)$/;

/** The rule for a checked schema, or undefined when any keyword in it needs the checker. */
export function compileSimple(schema: unknown): Rule | undefined {
  if (schema === true) return () => true;
  if (schema === false) return rule(() => false, phrases.forbidden, 'boolean');
  if (!isObject(schema)) return undefined;
  const rules: Rule[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || annotations.test(keyword)) continue;
    const next = compileKeyword(keyword, value, schema);
    if (next === undefined) return undefined;
    // The type first: when it is wrong, nothing else is worth telling.
    if (keyword === 'type') rules.unshift(next);
    else rules.push(next);
  }
  return all(rules, schema['type'] !== undefined);
}

function compileKeyword(
  keyword: string,
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
): Rule | undefined {
  if (keyword === 'type') return compileType(Array.isArray(value) ? value : [value]);
  if (keyword === 'enum') return Array.isArray(value) ? compileChoices(value, keyword) : undefined;
  if (keyword === 'const') return compileChoices([value], keyword);
  if (keyword === 'properties') return compileProperties(value);
  if (keyword === 'additionalProperties') return compileOthers(value, schema);
  if (keyword === 'items') return compileItems(value);
  if (keyword === 'required') return compileRequired(value as readonly string[]);
  if (keyword === 'pattern') return compileText(value);
  if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
    return compileBranches(keyword, value);
  return typeof value === 'number' ? compileLimit(keyword, value) : undefined;
}

function rule(fits: (value: unknown) => boolean, message: string, keyword: string): Rule {
  return (value, path, issues) => {
    if (fits(value)) return true;
    issues?.push({ path, message, keyword });
    return false;
  };
}

function all(rules: readonly Rule[], typed: boolean): Rule {
  return (value, path, issues) => {
    let fits = true;
    for (const each of rules) {
      if (each(value, path, issues)) continue;
      if (issues === undefined || (typed && each === rules[0])) return false;
      fits = false;
    }
    return fits;
  };
}

function compileType(types: readonly unknown[]): Rule | undefined {
  const wanted = types.map(type => (typeNames.includes(String(type)) ? typeTests[String(type)] : undefined));
  if (wanted.includes(undefined)) return undefined;
  const { message } = typeIssue([], types.map(String));
  const [only] = wanted;
  if (wanted.length === 1 && only !== undefined) return rule(only, message, 'type');
  return rule(value => wanted.some(test => test?.(value)), message, 'type');
}

function compileChoices(choices: readonly unknown[], keyword: string): Rule {
  const plain = new Set(choices.filter(choice => typeof choice !== 'object' || choice === null));
  const deep = choices.filter(choice => typeof choice === 'object' && choice !== null);
  const fits = (value: unknown): boolean => plain.has(value) || deep.some(choice => isEqual(choice, value));
  return rule(fits, phraseChoices(choices), keyword);
}

function compileProperties(value: unknown): Rule | undefined {
  if (!isObject(value)) return undefined;
  const rules = compileEach(Object.entries(value).filter(([, each]) => each !== undefined));
  if (rules === undefined) return undefined;
  return (value, path, issues) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const [name, each] of rules) {
      const child = own(value, name);
      if (child === undefined || each(child, issues === undefined ? path : [...path, name], issues)) continue;
      if (issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function compileEach(
  entries: readonly (readonly [string, unknown])[],
): (readonly [string, Rule])[] | undefined {
  const rules: (readonly [string, Rule])[] = [];
  for (const [name, schema] of entries) {
    const each = compileSimple(schema);
    if (each === undefined) return undefined;
    rules.push([name, each]);
  }
  return rules;
}

function compileOthers(value: unknown, schema: Readonly<Record<string, unknown>>): Rule | undefined {
  const each = compileSimple(value);
  if (each === undefined) return undefined;
  const known = new Set(isObject(schema['properties']) ? Object.keys(schema['properties']) : []);
  return (value, path, issues) => {
    if (!isObject(value)) return true;
    let fits = true;
    for (const name of presentKeys(value)) {
      if (known.has(name) || each(own(value, name), issues === undefined ? path : [...path, name], issues))
        continue;
      if (issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}

function compileItems(value: unknown): Rule | undefined {
  const each = Array.isArray(value) ? undefined : compileSimple(value);
  if (each === undefined) return undefined;
  return (value, path, issues) => {
    if (!Array.isArray(value)) return true;
    if (issues === undefined) return value.every(item => each(item, path));
    // Not `every`: each item has its own reasons.
    return value.filter((item, index) => !each(item, [...path, index], issues)).length === 0;
  };
}

function compileRequired(names: readonly string[]): Rule {
  return (value, path, issues) => {
    if (!isObject(value)) return true;
    const missing = names.filter(name => own(value, name) === undefined);
    for (const name of missing) {
      issues?.push({ path: [...path, name], message: phrases.required, keyword: 'required' });
    }
    return missing.length === 0;
  };
}

function compileText(value: unknown): Rule | undefined {
  const pattern = typeof value === 'string' ? compilePattern(value) : undefined;
  if (pattern === undefined) return undefined;
  return rule(text => typeof text !== 'string' || pattern.test(text), phrasePattern(value), 'pattern');
}

function compileBranches(keyword: 'anyOf' | 'oneOf' | 'allOf', value: unknown): Rule | undefined {
  const rules = Array.isArray(value) ? compileEach(value.map(each => ['', each] as const)) : undefined;
  if (rules === undefined) return undefined;
  const branches = rules.map(([, each]) => each);
  if (keyword === 'allOf') return all(branches, false);
  return (value, path, issues) => {
    if (issues === undefined && keyword === 'anyOf') return branches.some(branch => branch(value, path));
    const reasons = branches.map(branch => {
      const found: Issue[] = [];
      return branch(value, path, found) ? undefined : found;
    });
    const fitting = reasons.filter(each => each === undefined).length;
    if (keyword === 'anyOf' ? fitting > 0 : fitting === 1) return true;
    if (fitting > 0) issues?.push({ path, message: phrases.severalFit, keyword });
    else
      issues?.push(
        ...mergeAlternatives(
          keyword,
          path,
          reasons.map(each => each ?? []),
        ),
      );
    return false;
  };
}

function compileLimit(keyword: string, limit: number): Rule | undefined {
  const test = sizeTests[keyword];
  if (test === undefined) return undefined;
  return rule(value => test(value, limit), phraseLimit(keyword, limit) ?? phrases.noFit, keyword);
}
