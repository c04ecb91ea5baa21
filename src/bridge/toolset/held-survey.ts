/** What a schema says about the arguments it describes, wherever in it: their names, what is needed, and defaults. */
import { isObject } from '../../basics/json.ts';
import type { JsonSchemaObject } from '../../schema/schema.ts';
import { lookUp } from './held-references.ts';

export interface ArgumentSurvey {
  /** Names that some part of the schema lists. */
  readonly listed: ReadonlySet<string>;
  /** Whether names may follow a pattern. */
  readonly hasPatterns: boolean;
  /** Without these some or all calls are refused. */
  readonly needed: ReadonlySet<string>;
  readonly defaults: ReadonlyMap<string, unknown>;
}

/** Parts that hold for every call, and parts that hold in some case. */
const always = ['allOf'] as const;
const sometimes = [
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'not',
  'dependentSchemas',
  'dependencies',
] as const;

export function surveyArguments(root: JsonSchemaObject): ArgumentSurvey {
  const listed = new Set<string>();
  const needed = new Set<string>();
  const defaults = new Map<string, unknown>();
  let hasPatterns = false;
  const seen = { always: new Set<unknown>(), sometimes: new Set<unknown>() };
  const visit = (schema: unknown, when: keyof typeof seen): void => {
    if (!isObject(schema) || seen[when].has(schema)) return;
    seen[when].add(schema);
    const { properties, patternProperties, required, $ref: reference } = schema;
    for (const [name, property] of isObject(properties) ? Object.entries(properties) : []) {
      listed.add(name);
      if (isObject(property) && Object.hasOwn(property, 'default') && !defaults.has(name)) {
        defaults.set(name, property['default']);
      }
    }
    if (isObject(patternProperties)) hasPatterns ||= Object.keys(patternProperties).length > 0;
    const needs = when === 'always' && Array.isArray(required) ? [required] : [];
    for (const keyword of ['dependentRequired', 'dependencies']) {
      const dependent = schema[keyword];
      if (isObject(dependent)) needs.push(...Object.values(dependent).filter(Array.isArray));
    }
    for (const name of needs.flat()) if (typeof name === 'string') needed.add(name);
    if (typeof reference === 'string') visit(lookUp(root, reference), when);
    for (const keyword of always) for (const part of partsOf(schema[keyword])) visit(part, when);
    for (const keyword of sometimes) for (const part of partsOf(schema[keyword])) visit(part, 'sometimes');
  };
  visit(root, 'always');
  return { listed, hasPatterns, needed, defaults };
}

/** The schemas of a keyword: one, a list, or the members of `dependentSchemas`. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).filter(isObject)];
}
