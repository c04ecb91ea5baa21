/** Says in a description what a schema cannot say, so that a model still knows it. */
import type { Node } from './schema-index.ts';

const longestHint = 160;

/** What a keyword says, short enough to stand in a description; undefined when it cannot be told so. */
export function hintFor(keyword: string, value: unknown): string | undefined {
  if (!tellable.has(keyword) || value === false || value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestHint ? undefined : `${keyword}: ${text}`;
}

export function withHints(node: Node, hints: readonly string[]): Node {
  if (hints.length === 0) return node;
  const told = `(${[...new Set(hints)].join('; ')})`;
  const { description } = node;
  return {
    ...node,
    description: typeof description === 'string' && description !== '' ? `${description} ${told}` : told,
  };
}

/** Keywords whose name and value together make sense to a reader. */
const tellable: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'example',
  'examples',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
  'deprecated',
]);
