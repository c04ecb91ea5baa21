/** Finished unions: alone, without unions inside, and what to say where any value may stand. */
import type { Step } from './dialect.ts';
import { distinct } from './merge.ts';
import type { Node } from './schema-index.ts';

/** Alternatives of alternatives are alternatives; one alone is no union. */
export const flattenUnions: Step = node => {
  const { anyOf, ...words } = node;
  if (!Array.isArray(anyOf)) return node;
  const all = (anyOf as readonly Node[]).flatMap(each =>
    Array.isArray(each['anyOf']) && Object.keys(each).length === 1
      ? (each['anyOf'] as readonly Node[])
      : [each],
  );
  const ways = distinct(all);
  const [first] = ways;
  if (ways.length === 1 && first !== undefined && !('$ref' in first && Object.keys(words).length > 0)) {
    return { ...first, ...words };
  }
  return { ...words, anyOf: ways };
};

/** For a provider that takes a union only with nothing beside it: the words go into each alternative. */
export const unionsAlone: Step = node => {
  const { anyOf, ...words } = node;
  if (!Array.isArray(anyOf) || Object.keys(words).length === 0) return node;
  return { anyOf: (anyOf as readonly Node[]).flatMap(each => spread(each, words)) };
};

/** A union inside a union stays alone too. */
function spread(each: Node, words: Node): readonly Node[] {
  const { anyOf, ...own } = each;
  if (!Array.isArray(anyOf)) return [{ ...words, ...each }];
  return (anyOf as readonly Node[]).flatMap(inner => spread(inner, { ...words, ...own }));
}

/** Writes out each kind of value where any may stand; `object` is how an object of which nothing is known is written. */
export const anyAsUnion =
  (object: Node): Step =>
  node => {
    if (node['type'] !== undefined || node['anyOf'] !== undefined) return node;
    const { title, description } = node;
    return {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        object,
        { type: 'array', items: { type: 'string' } },
      ],
    };
  };

/** Gives up where any value may stand. */
export const refuseAny: Step = (node, visit) => {
  if (node['type'] === undefined && node['anyOf'] === undefined) {
    visit.refuse('type', 'any value may stand here');
  }
  return node;
};
