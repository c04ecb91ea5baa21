/** One type for each schema: found where none is said, split where several are, null told apart. */
import type { Step } from './dialect.ts';
import { isOf, typeOf } from './json-type.ts';
import { annotations } from './modernise.ts';
import type { Node } from './schema-index.ts';

/** The keywords that speak of values of one type only. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'unevaluatedProperties',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
  ],
  array: [
    'items',
    'prefixItems',
    'contains',
    'minContains',
    'maxContains',
    'unevaluatedItems',
    'minItems',
    'maxItems',
    'uniqueItems',
  ],
  string: ['pattern', 'minLength', 'maxLength', 'format', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};
const bound = new Map(
  Object.entries(keywordsOf).flatMap(([type, words]) => words.map(word => [word, type] as const)),
);

/** Expects a schema without `allOf` and references. Turns `const` into a choice of one. */
export const tellKinds: Step = (node, visit) => {
  if (Array.isArray(node['anyOf'])) return node;
  const { const: only, ...rest } = node;
  const choices = only === undefined ? listOf(rest['enum']) : [only];
  const said = listOf(rest['type']);
  const types = said ?? typesOf(choices) ?? impliedBy(rest);
  if (types === undefined) {
    visit.lose('type', 'no type is said, and nothing tells which is meant');
    return rest;
  }
  if (said === undefined && choices === undefined) {
    visit.lose('type', `no type is said; it is taken to be ${types.join(' or ')}`);
  }
  const fitting = choices?.filter(choice => types.some(type => isOf(choice, type)));
  if (types.includes('null') && (fitting === undefined || fitting.includes(null))) visit.nullable = true;
  const others = types.filter(type => type !== 'null');
  const { enum: _choices, type: _type, ...words } = rest;
  const [first] = others;
  if (first === undefined) return ofType('null', words, undefined);
  if (others.length === 1) return ofType(first, words, fitting);
  const [shared, own] = [
    pick(words, name => annotations.has(name)),
    pick(words, name => !annotations.has(name)),
  ];
  const branches = others
    .filter(type => fitting === undefined || fitting.some(choice => isOf(choice, type)))
    .map(type => ofType(type, own, fitting));
  return branches.length === 1 ? { ...shared, ...branches[0] } : { ...shared, anyOf: branches };
};

/** What speaks of another type has no effect, and some providers refuse it. */
function ofType(type: string, words: Node, choices: readonly unknown[] | undefined): Node {
  const family = type === 'integer' ? 'number' : type;
  const own = pick(words, word => (bound.get(word) ?? family) === family);
  const fitting = choices?.filter(choice => isOf(choice, type));
  return { ...own, type, ...(fitting === undefined || fitting.length === 0 ? {} : { enum: fitting }) };
}

function impliedBy(node: Node): readonly string[] | undefined {
  const found = new Set<string>();
  for (const keyword of Object.keys(node)) {
    const type = bound.get(keyword);
    if (type !== undefined && keyword !== 'contentEncoding' && keyword !== 'contentMediaType')
      found.add(type);
  }
  return found.size === 0 ? undefined : [...found];
}

function typesOf(choices: readonly unknown[] | undefined): readonly string[] | undefined {
  if (choices === undefined) return undefined;
  return [...new Set(choices.map(typeOf))];
}

function listOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return (Array.isArray(value) ? value : [value]) as readonly string[];
}

function pick(node: Node, wanted: (keyword: string) => boolean): Node {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => wanted(keyword)));
}
