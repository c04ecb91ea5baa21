/** The size of a finished schema, and the bounds that providers set to it. */
import { isObject } from '../../basics/json.ts';
import type { Node } from './schema-index.ts';

export interface SizeLimits {
  readonly properties?: number;
  /** Objects within objects, the root counted. */
  readonly levels?: number;
  /** Characters of names, choices and constants together. */
  readonly characters?: number;
  readonly choices?: number;
  /** Characters of one list of more than `longList` texts. */
  readonly longList?: { readonly choices: number; readonly characters: number };
  /** Properties that may be left out. */
  readonly optional?: number;
  readonly unions?: number;
}

interface Size {
  properties: number;
  levels: number;
  characters: number;
  choices: number;
  optional: number;
  unions: number;
}

/** Gives the first bound that a schema is over, as a sentence. */
export function limitSize(limits: SizeLimits): (schema: Node) => string | undefined {
  const { longList, ...counts } = limits;
  return schema => {
    const size: Size = { properties: 0, levels: 0, characters: 0, choices: 0, optional: 0, unions: 0 };
    const long = measure(schema, size, 0, longList);
    for (const [name, most] of Object.entries(counts) as [keyof Size, number][]) {
      if (size[name] > most) return `it has ${size[name]} ${words[name]}, and at most ${most} are taken`;
    }
    return long;
  };
}

const words: Readonly<Record<keyof Size, string>> = {
  properties: 'properties',
  levels: 'levels of objects',
  characters: 'characters of names and choices',
  choices: 'choices',
  optional: 'properties that may be left out',
  unions: 'unions',
};

function measure(
  node: unknown,
  size: Size,
  level: number,
  longList: SizeLimits['longList'],
): string | undefined {
  if (!isObject(node)) return undefined;
  const { properties, $defs, enum: choices, const: only, anyOf, type, required } = node;
  const depth = type === 'object' || isObject(properties) ? level + 1 : level;
  size.levels = Math.max(size.levels, depth);
  if (Array.isArray(anyOf) || Array.isArray(type)) size.unions += 1;
  let long: string | undefined;
  if (Array.isArray(choices)) {
    const characters = textOf(choices);
    size.choices += choices.length;
    size.characters += characters;
    if (longList !== undefined && choices.length > longList.choices && characters > longList.characters) {
      long = `it has a list of ${choices.length} choices with ${characters} characters, and at most ${longList.characters} are taken`;
    }
  }
  if (only !== undefined) size.characters += textOf([only]);
  for (const [map, isProperties] of [
    [properties, true],
    [$defs, false],
  ] as const) {
    if (!isObject(map)) continue;
    const names = Object.keys(map);
    size.characters += textOf(names);
    if (isProperties) {
      size.properties += names.length;
      const given = new Set<unknown>(Array.isArray(required) ? required : []);
      size.optional += names.filter(name => !given.has(name)).length;
    }
    for (const each of Object.values(map)) long ??= measure(each, size, isProperties ? depth : 0, longList);
  }
  long ??= measure(node['items'], size, depth, longList);
  for (const each of Array.isArray(anyOf) ? anyOf : []) long ??= measure(each, size, depth, longList);
  return long;
}

function textOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}
