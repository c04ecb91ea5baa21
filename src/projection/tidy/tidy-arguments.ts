/** Cleans up what models often get wrong in arguments, before they are checked: only what would be refused. */
import { isObject, parseJson } from '../../basics/json.ts';
import { mayBeAlias, writeAlias } from '../name-rule.ts';
import { indexSchema, type SchemaIndex } from '../steps/schema-index.ts';
import { type Formula, type Look, mayLook } from './formula.ts';
import { isListed, itemOf, mustBeGiven, propertyOf } from './formula-inside.ts';
import { mayFit } from './may-fit.ts';
import { namesIn, openFormula } from './open-formula.ts';

/** One thing that was changed. */
export interface TidyChange {
  /** Names and indexes from the root of the arguments, as they were sent. */
  readonly path: readonly (string | number)[];
  /** What was done, to be read after the place: `was left out: …`. */
  readonly message: string;
}

export interface TidiedArguments {
  readonly value: unknown;
  /** Empty when `value` is what was given. */
  readonly changes: readonly TidyChange[];
}

/**
 * `schema` is the tool's own, not what a provider was shown; check the result against it. Nothing is changed that the
 * schema allows, names that only a projection writes apart, and nothing is invented:
 * - no arguments at all are an object without properties;
 * - null, `""` and `"null"` for a property that may be left out are left out, `"null"` is null where that is allowed;
 * - an object or a list that was sent as its JSON text is read where no text is allowed;
 * - a property that goes by another name at a provider gets its own back.
 * Never throws, changes nothing in place, and gives up on schemas and values too large to look at.
 */
export function tidyArguments(args: unknown, schema: unknown): TidiedArguments {
  const { tidy, formula } = begin(schema, false);
  if (args === undefined || args === null) {
    const message = 'was nothing, and is now an object without properties';
    return { value: {}, changes: [{ path: [], message }] };
  }
  return { value: tidyAt(args, formula, [], tidy), changes: tidy.changes };
}

/** As `tidyArguments`, for an answer of any kind: nothing is no object then. */
export function tidyOutput(value: unknown, schema: unknown): TidiedArguments {
  const { tidy, formula } = begin(schema, false);
  return { value: tidyAt(value, formula, [], tidy), changes: tidy.changes };
}

/** Only gives properties their own names back, which is needed even where nothing else is to be cleaned up. */
export function restoreArgumentNames(args: unknown, schema: unknown): TidiedArguments {
  const { tidy, formula } = begin(schema, true);
  return { value: tidyAt(args, formula, [], tidy), changes: tidy.changes };
}

interface Tidy {
  readonly look: Look;
  readonly changes: TidyChange[];
  readonly namesOnly: boolean;
}

function begin(schema: unknown, namesOnly: boolean): { readonly tidy: Tidy; readonly formula: Formula } {
  const index = indexOf(schema);
  const formula = { all: [{ schema, base: index.placeOf(schema)?.base ?? '' }], any: [] };
  return { tidy: { look: { index, count: 0 }, changes: [], namesOnly }, formula };
}

type Path = readonly (string | number)[];

const mostLevels = 100;

const indexes = new WeakMap<object, SchemaIndex>();

function indexOf(schema: unknown): SchemaIndex {
  if (!isObject(schema)) return indexSchema(schema);
  const index = indexes.get(schema) ?? indexSchema(schema);
  indexes.set(schema, index);
  return index;
}

function tidyAt(value: unknown, formula: Formula, path: Path, tidy: Tidy): unknown {
  if (path.length > mostLevels || !mayLook(tidy.look)) return value;
  const read = typeof value === 'string' ? readText(value, formula, tidy) : value;
  if (read !== value) {
    const kind = Array.isArray(read) ? 'a list' : 'an object';
    tidy.changes.push({ path, message: `was ${kind} as JSON text, and was read` });
  }
  if (isObject(read)) return tidyObject(read, formula, path, tidy);
  if (Array.isArray(read)) return tidyList(read, formula, path, tidy);
  return read;
}

function readText(text: string, formula: Formula, { look, namesOnly }: Tidy): unknown {
  if (namesOnly || !/^\s*[[{]/.test(text) || mayFit(formula, text, look)) return text;
  const parsed = parseJson(text);
  const isRead = parsed.ok && typeof parsed.value === 'object' && parsed.value !== null;
  return isRead && mayFit(formula, parsed.value, look) ? parsed.value : text;
}

function tidyList(list: readonly unknown[], formula: Formula, path: Path, tidy: Tidy): unknown {
  const opened = openFormula(formula, list, tidy.look);
  const tidied = list.map((each, at) => tidyAt(each, itemOf(opened, at), [...path, at], tidy));
  return tidied.some((each, at) => each !== list[at]) ? tidied : list;
}

type Members = Readonly<Record<string, unknown>>;

function tidyObject(given: Members, formula: Formula, path: Path, tidy: Tidy): Members {
  const named = restoreNames(given, formula, path, tidy);
  const opened = openFormula(formula, named, tidy.look);
  const kept: [string, unknown][] = [];
  let elsewhere: ReadonlySet<string> | undefined;
  for (const [name, each] of Object.entries(named)) {
    const place = propertyOf(opened, name);
    const at = [...path, name];
    const isRefused = !tidy.namesOnly && isNothing(each) && !mayFit(place, each, tidy.look);
    const isShown = isRefused && (isListed(opened, name) || (each === null && isElsewhere(name)));
    if (!isShown) {
      kept.push([name, tidyAt(each, place, at, tidy)]);
      continue;
    }
    const isNeeded = mustBeGiven(opened, name);
    if ((isNeeded || each === 'null') && each !== null && mayFit(place, null, tidy.look)) {
      tidy.changes.push({ path: at, message: `was ${JSON.stringify(each)}, and is now null` });
      kept.push([name, null]);
    } else if (isNeeded) kept.push([name, each]);
    else
      tidy.changes.push({ path: at, message: `was left out: ${JSON.stringify(each)} is not allowed there` });
  }
  /** Strict mode makes a model write null for what only other alternatives list. */
  function isElsewhere(name: string): boolean {
    elsewhere ??= namesIn(formula, tidy.look);
    return elsewhere.has(name);
  }
  const entries = Object.entries(named);
  const isSame = kept.length === entries.length && kept.every(([, each], at) => each === entries[at]?.[1]);
  return isSame ? named : Object.fromEntries(kept);
}

/** What models write when they mean that there is no value. */
function isNothing(value: unknown): boolean {
  return value === null || value === '' || value === 'null';
}

function restoreNames(given: Members, formula: Formula, path: Path, tidy: Tidy): Members {
  if (!Object.keys(given).some(mayBeAlias)) return given;
  const names = namesIn(formula, tidy.look);
  const known = new Map([...names].map(name => [writeAlias(name), name] as const));
  const restored = Object.entries(given).map(([name, each]) => {
    const own = known.get(name);
    // What is itself listed is not another's alias.
    if (own === undefined || names.has(name) || Object.hasOwn(given, own)) return [name, each] as const;
    tidy.changes.push({ path: [...path, name], message: `is ${JSON.stringify(own)} by its own name` });
    return [own, each] as const;
  });
  return restored.some(([name]) => !Object.hasOwn(given, name)) ? Object.fromEntries(restored) : given;
}
