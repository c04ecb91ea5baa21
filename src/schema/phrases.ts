/** What a value must be, in words; the same words whichever judge found the fault. */
import { outlineList } from '../basics/outline.ts';

const typePhrases: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};

/** `must be a string`, `must be a number or null`. */
export function phraseTypes(types: readonly string[]): string {
  const words = [...new Set(types)].map(type => typePhrases[type] ?? type);
  return `must be ${words.join(' or ')}`;
}

/** `must be one of "a", "b"`. */
export function phraseChoices(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${outlineList(values)}` : `must be one of ${outlineList(values)}`;
}

const limitPhrases: Readonly<Record<string, (limit: unknown) => string>> = {
  minimum: limit => `must be at least ${limit}`,
  maximum: limit => `must be at most ${limit}`,
  exclusiveMinimum: limit => `must be more than ${limit}`,
  exclusiveMaximum: limit => `must be less than ${limit}`,
  multipleOf: limit => `must be a multiple of ${limit}`,
  minLength: limit => `must have at least ${plural(limit, 'character')}`,
  maxLength: limit => `must have at most ${plural(limit, 'character')}`,
  minItems: limit => `must have at least ${plural(limit, 'item')}`,
  maxItems: limit => `must have at most ${plural(limit, 'item')}`,
  minProperties: limit => `must have at least ${plural(limit, 'property')}`,
  maxProperties: limit => `must have at most ${plural(limit, 'property')}`,
};

/** A numeric limit, by the keyword that sets it; undefined for keywords that set none. */
export function phraseLimit(keyword: string, limit: unknown): string | undefined {
  return limitPhrases[keyword]?.(limit);
}

/** How many items must fit the schema of `contains`; the limits are in one reason, whichever was passed. */
export function phraseContains(least: number, most: unknown): string {
  const limit = most ?? least;
  const range = most === undefined ? 'at least ' : least === most ? 'exactly ' : `${least} to `;
  return `must have ${range}${plural(limit, 'item')} that ${limit === 1 ? 'fits' : 'fit'} the schema of contains`;
}

/** `must match the pattern …`, with a long pattern cut. */
export function phrasePattern(pattern: unknown): string {
  return `must match the pattern ${shortenPattern(String(pattern))}`;
}

/** The pattern as it stands in messages. */
export function shortenPattern(pattern: string): string {
  return pattern.length > 100 ? `${pattern.slice(0, 99)}…` : pattern;
}

function plural(count: unknown, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun === 'property' ? 'properties' : `${noun}s`}`;
}
