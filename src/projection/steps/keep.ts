/** What may stand in a schema: keywords, formats and patterns that a provider knows; the rest is told in words. */
import type { Step, Visit } from './dialect.ts';
import { hintFor } from './hints.ts';
import { isPlainPattern } from './plain-pattern.ts';
import type { Node } from './schema-index.ts';

/** Takes out every keyword but these. */
export function keepKeywords(...known: readonly string[]): Step {
  const kept: ReadonlySet<string> = new Set(known);
  return (node, visit) => {
    const rest: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (kept.has(keyword)) rest[keyword] = value;
      else tell(keyword, value, visit);
    }
    return rest;
  };
}

/** Takes these keywords out of the root. */
export function leaveOutAtRoot(...unknown: readonly string[]): Step {
  return (node, visit) => (visit.isRoot ? without(node, unknown, visit) : node);
}

/** Keeps the formats that a provider knows for a type. */
export function keepFormats(known: Readonly<Record<string, readonly string[]>>): Step {
  return (node, visit) => {
    const { type, format } = node;
    const isKnown = typeof type === 'string' && known[type]?.includes(format as string);
    return format === undefined || isKnown ? node : without(node, ['format'], visit);
  };
}

/** Keeps patterns that every engine reads alike: no assertions around, no names, no references back, no classes by property. */
export const keepPlainPatterns: Step = (node, visit) => {
  const { pattern, patternProperties } = node;
  const isOdd = typeof pattern === 'string' && !isPlainPattern(pattern);
  const named = Object.keys(patternProperties ?? {});
  const rest = isOdd ? without(node, ['pattern'], visit) : node;
  if (named.every(isPlainPattern)) return rest;
  // What a pattern allowed must not be forbidden with it.
  return { ...without(rest, ['patternProperties'], visit), additionalProperties: true };
};

/** For those who know `minimum` only: exact for whole numbers, told in words for others. */
export const closeBounds: Step = (node, visit) => {
  let closed = node;
  for (const [exclusive, limit, step] of [
    ['exclusiveMinimum', 'minimum', 1],
    ['exclusiveMaximum', 'maximum', -1],
  ] as const) {
    const bound = closed[exclusive];
    if (typeof bound !== 'number') continue;
    if (closed['type'] !== 'integer') closed = without(closed, [exclusive], visit);
    const near =
      closed['type'] !== 'integer' ? bound : step > 0 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
    const { [exclusive]: _told, ...rest } = closed;
    const known = rest[limit];
    const pick = step > 0 ? Math.max : Math.min;
    closed = { ...rest, [limit]: typeof known === 'number' ? pick(known, near) : near };
  }
  return closed;
};

function without(node: Node, keywords: readonly string[], visit: Visit): Node {
  const rest = Object.entries(node).filter(([keyword, value]) => {
    if (!keywords.includes(keyword)) return true;
    tell(keyword, value, visit);
    return false;
  });
  return Object.fromEntries(rest);
}

function tell(keyword: string, value: unknown, visit: Visit): void {
  const hint = hintFor(keyword, value);
  if (hint !== undefined) visit.hint(hint);
  visit.lose(
    keyword,
    hint === undefined
      ? 'it is left out; the arguments are still checked against it'
      : 'it is told in the description; the arguments are still checked against it',
  );
}
