/** Checks a schema before any value comes: shapes of keywords, references, loops, explosions. Never mutates, never fetches. */

import { isObject } from '../basics/json.ts';
import { readDialect } from './dialect.ts';
import { escapePointer, keywordOf, schemasIn, typeNames } from './keywords.ts';
import { type SchemaLimits, tooLarge } from './limits.ts';
import { findRecursion, type InPlace, type InPlaceGraph } from './recursion.ts';
import { type References, type Remotes, rootUri, type Target, trackReferences } from './references.ts';
import type { JsonSchemaObject } from './schema.ts';
import { SchemaError } from './schema-error.ts';
import { suggest } from './suggest.ts';

/** What was found out on the way. */
export interface Inspection {
  /** What a reader of the schema should know, as sentences. */
  readonly notes: readonly string[];
  /** Where its references lead. */
  readonly references: References;
  /** The URI that the references in each schema start from. */
  readonly bases: ReadonlyMap<object, string>;
  /** True when there are references at all. */
  readonly refers: boolean;
}

interface Reference {
  readonly keyword: '$ref' | '$dynamicRef' | '$recursiveRef';
  readonly reference: string;
  readonly pointer: string;
  readonly base: string;
  readonly from: InPlace;
}

/** Throws a SchemaError that names the place, the value, the reason and the remedy. */
export function inspect(root: unknown, remotes: Remotes, limits: SchemaLimits): Inspection {
  const dialect = isObject(root) ? readDialect(root) : '2020-12';
  const idKeyword = dialect === 'draft-04' ? 'id' : '$id';
  const older = dialect?.startsWith('draft') === true || isOlderForm(root);
  const references = trackReferences(root, remotes, idKeyword, older);
  const graph: InPlaceGraph = new Map();
  const open: Target[] = [{ schema: root, pointer: '#', base: rootUri }];
  let waiting: Reference[] = [];
  const bases = new Map<object, string>();
  let refers = false;

  function visit({ schema, pointer, base: outer }: Target): void {
    if (!isObject(schema) || graph.has(schema)) return;
    if (graph.size >= limits.subschemas) {
      throw tooLarge('subschemas', pointer, `it holds more than ${limits.subschemas} schemas`);
    }
    const base = references.add(schema, pointer, outer);
    bases.set(schema, base);
    const node: InPlace = { pointer, applies: [] };
    graph.set(schema, node);
    for (const name of Object.keys(schema)) {
      const value = schema[name];
      const keyword = keywordOf(name);
      if (keyword === undefined || value === undefined) continue;
      const at = `${pointer}/${escapePointer(name)}`;
      if (!keyword.fits(value)) throw misshapen(name, value, at, keyword.expected);
      if (name === '$ref' || name === '$dynamicRef' || name === '$recursiveRef') {
        refers = true;
        waiting.push({ keyword: name, reference: value as string, pointer: at, base, from: node });
      }
      if (name === 'patternProperties') checkPatterns(value as JsonSchemaObject, at);
      if (keyword.holds === undefined) continue;
      for (const [rest, inner] of schemasIn(keyword.holds, value)) {
        open.push({ schema: inner, pointer: `${at}${rest}`, base });
        if (keyword.inPlace && isObject(inner)) node.applies.push(inner);
      }
    }
  }

  // Following a reference can bring further anchors and resources, which earlier references may lead to.
  for (let progress = true; progress; ) {
    for (let next = open.pop(); next !== undefined; next = open.pop()) visit(next);
    progress = false;
    const unresolved: Reference[] = [];
    for (const reference of waiting) {
      const target = references.find(reference.reference, reference.base);
      const loaded = references.takeLoaded();
      open.push(...loaded);
      progress ||= loaded.length > 0;
      if (target === undefined) unresolved.push(reference);
      else {
        progress = true;
        open.push(target);
        if (reference.keyword === '$ref' && isObject(target.schema))
          reference.from.applies.push(target.schema);
      }
    }
    waiting = unresolved;
  }
  for (const reference of waiting) {
    const name = reference.reference.slice(reference.reference.indexOf('#') + 1);
    if (reference.keyword !== '$dynamicRef' || !references.hasAnchor(name)) throw unresolved(reference);
  }
  const recursion = findRecursion(graph, limits.combinators);
  if (recursion?.kind === 'loop') throw endless(recursion.pointer);
  if (recursion?.kind === 'explosion') {
    const reason = `it applies more than ${limits.combinators} schemas to one value`;
    throw tooLarge('combinators', recursion.pointer, reason);
  }
  const named = isObject(root) ? root['$schema'] : undefined;
  const notes = dialect === undefined ? [`unknown dialect ${JSON.stringify(named)}: read as 2020-12`] : [];
  return { notes, references, bases, refers };
}

/** Drafts up to 07 kept their definitions under a name of their own; many schemas do not say which draft they follow. */
function isOlderForm(root: unknown): boolean {
  return isObject(root) && root['$schema'] === undefined && 'definitions' in root && !('$defs' in root);
}

function checkPatterns(value: JsonSchemaObject, pointer: string): void {
  const pattern = keywordOf('pattern');
  for (const source of Object.keys(value)) {
    if (pattern?.fits(source)) continue;
    const at = `${pointer}/${escapePointer(source)}`;
    throw misshapen('patternProperties', source, at, 'named by regular expressions (ECMA-262)');
  }
}

function misshapen(keyword: string, value: unknown, pointer: string, expected: string): SchemaError {
  const meant = keyword === 'type' && typeof value === 'string' ? suggest(value, typeNames) : undefined;
  const remedy =
    meant === undefined ? `correct or remove "${keyword}"` : `did you mean ${JSON.stringify(meant)}?`;
  return new SchemaError({ pointer, value, reason: `"${keyword}" must be ${expected}`, remedy });
}

function unresolved({ keyword, reference, pointer }: Reference): SchemaError {
  const local = reference.startsWith('#');
  return new SchemaError({
    pointer,
    value: reference,
    reason: local
      ? `${keyword} leads to nothing in this schema`
      : `${keyword} leads outside this schema, and nothing is fetched`,
    remedy: local
      ? 'add the definition it names, or correct the pointer'
      : 'put the definition under $defs, or supply it in the option remotes under its URI',
  });
}

function endless(pointer: string): SchemaError {
  return new SchemaError({
    pointer,
    reason: 'it comes back to itself without going into the value, so that judging would never end',
    remedy: 'let the reference stand under a property or an item',
  });
}
