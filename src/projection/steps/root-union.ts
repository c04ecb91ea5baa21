/** A union at the root of a tool's arguments, where no provider takes one: an object that allows each way. */
import type { Step } from './dialect.ts';
import { distinct } from './merge.ts';
import type { Node } from './schema-index.ts';
import { peek } from './settle.ts';

export const joinRoot: Step = (node, visit) => {
  const { anyOf, oneOf, ...base } = node;
  if (!visit.isRoot || (!Array.isArray(anyOf) && !Array.isArray(oneOf))) return node;
  let joined: Node = base;
  for (const [keyword, union] of Object.entries({ anyOf, oneOf })) {
    if (!Array.isArray(union)) continue;
    visit.lose(keyword, 'its alternatives are shown as one object; that they exclude each other is not said');
    const ways = union.map(schema => joinRoot(peek(schema, visit), visit)).filter(takesObjects);
    joined = joinObjects(joined, ways);
  }
  return joined;
};

function joinObjects(base: Node, ways: readonly Node[]): Node {
  const found = new Map<string, unknown[]>();
  for (const [name, schema] of [base, ...ways].flatMap(way => Object.entries(way['properties'] ?? {}))) {
    const known = found.get(name);
    if (known === undefined) found.set(name, [schema]);
    else known.push(schema);
  }
  const properties = [...found].map(([name, all]) => {
    const each = distinct(all);
    return [name, each.length === 1 ? each[0] : { anyOf: each }];
  });
  const own = namesOf(base['required']);
  const needed = ways.map(way => namesOf(way['required']));
  const always =
    needed.length === 0 ? [] : (needed[0] ?? []).filter(name => needed.every(some => some.includes(name)));
  const isOpen = ways.some(
    way => way['additionalProperties'] !== undefined && way['additionalProperties'] !== false,
  );
  return {
    ...base,
    ...(found.size === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(own.length + always.length === 0 ? {} : { required: [...new Set([...own, ...always])] }),
    ...(isOpen ? { additionalProperties: true } : {}),
  };
}

function namesOf(required: unknown): readonly string[] {
  return Array.isArray(required) ? (required as readonly string[]) : [];
}

function takesObjects({ type }: Node): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}
