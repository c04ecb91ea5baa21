/** The vendored checker's errors, told as issues in our words. */

import { sketchList } from '../basics/sketch.ts';
import type { CheckerError } from '../vendor/json-schema.ts';
import { mergeAlternatives, typeIssue } from './alternatives.ts';
import type { Issue } from './issues.ts';
import { phraseChoices, phraseContains, phraseLimit, phrasePattern, phrases } from './phrases.ts';

/** In the order found; the reasons of alternatives are merged, and what only repeats another reason is left out. */
export function readErrors(errors: readonly CheckerError[], value: unknown): Issue[] {
  // A schema's own errors come after those of its alternatives: collect, and let each alternative take its part.
  const found: Found[] = [];
  for (const error of errors) {
    const path = toPath(error.instancePath, value);
    const inside = mergesInside.has(error.keyword) ? takeInside(found, error) : [];
    const issues = inside.length > 0 ? readMerged(error, path, inside) : readError(error, path, found.length);
    found.push({ error, issues });
  }
  const told = found.flatMap(each => each.issues);
  const seen = new Set<string>();
  return told.filter(issue => {
    const key = JSON.stringify([issue.path, issue.message]);
    return !seen.has(key) && seen.add(key);
  });
}

interface Found {
  readonly error: CheckerError;
  readonly issues: readonly Issue[];
}

const mergesInside: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'propertyNames']);

/** Removes and returns what was found inside `error`'s keyword at its place, by alternative. */
function takeInside(found: Found[], error: CheckerError): Issue[][] {
  const prefix = `${error.schemaPath}/${error.keyword}`;
  const branches = new Map<string, Issue[]>();
  for (let index = found.length - 1; index >= 0; index--) {
    const each = found[index];
    if (each === undefined || !each.error.schemaPath.startsWith(prefix)) continue;
    if (!each.error.instancePath.startsWith(error.instancePath)) continue;
    const branch = each.error.schemaPath.slice(prefix.length + 1).split('/', 1)[0] ?? '';
    branches.set(branch, [...each.issues, ...(branches.get(branch) ?? [])]);
    found.splice(index, 1);
  }
  return [...branches.entries()]
    .sort(([left], [right]) => Number(left) - Number(right))
    .map(([, issues]) => issues);
}

function readMerged(error: CheckerError, path: Issue['path'], inside: Issue[][]): readonly Issue[] {
  const { keyword, params } = error;
  if (keyword === 'propertyNames') {
    return namesOf(params[keyword]).map(name =>
      at(path, name, 'is not a property name the schema allows', keyword),
    );
  }
  return mergeAlternatives(keyword === 'oneOf' ? 'oneOf' : 'anyOf', path, inside);
}

function readError(error: CheckerError, path: Issue['path'], before: number): readonly Issue[] {
  const { keyword, params } = error;
  const limit = phraseLimit(keyword, params['limit'] ?? params['multipleOf']);
  if (limit !== undefined) return [{ path, message: limit, keyword }];
  switch (keyword) {
    case 'type':
      return [typeIssue(path, ([] as unknown[]).concat(params['type']).map(String))];
    case 'enum':
      return [{ path, message: phraseChoices(listOf(params['allowedValues'])), keyword }];
    case 'const':
      return [{ path, message: phraseChoices([params['allowedValue']]), keyword }];
    case 'pattern':
      return [{ path, message: phrasePattern(params['pattern']), keyword }];
    case 'required':
      return namesOf(params['requiredProperties']).map(name => at(path, name, phrases.required, keyword));
    case 'unevaluatedProperties':
      return namesOf(params[keyword]).map(name => at(path, name, phrases.forbidden, keyword));
    case 'dependentRequired':
    case 'dependencies': {
      const needed = sketchList(listOf(params['dependencies']));
      return [at(path, String(params['property']), `needs ${needed} beside it`, keyword)];
    }
    case 'anyOf':
      return [{ path, message: phrases.noneFits, keyword }];
    case 'oneOf':
      return [{ path, message: phrases.severalFit, keyword }];
    case 'boolean':
      return [{ path, message: phrases.forbidden, keyword }];
    case 'not':
      return [{ path, message: phrases.excluded, keyword }];
    case 'uniqueItems':
      return [{ path, message: phrases.unique, keyword }];
    case 'contains':
      return [{ path, message: phraseContains(params['minContains'], params['maxContains']), keyword }];
    case 'unevaluatedItems':
      return [{ path, message: 'must not have items beyond those the schema names', keyword }];
    default:
      // `additionalProperties` and `if` follow the errors that made them fail.
      return before > 0 ? [] : [{ path, message: phrases.noFit, keyword }];
  }
}

function at(path: Issue['path'], name: string, message: string, keyword: string): Issue {
  return { path: [...path, name], message, keyword };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function namesOf(value: unknown): string[] {
  return listOf(value).map(String);
}

/** A JSON pointer as a path, with numbers where the value has arrays. */
function toPath(pointer: string, value: unknown): (string | number)[] {
  let at: unknown = value;
  return pointer
    .split('/')
    .slice(1)
    .map(part => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      const step = Array.isArray(at) ? Number(key) : key;
      at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
      return step;
    });
}
