/** How a provider is told that null is allowed. */
import type { Step, Visit } from './dialect.ts';
import type { Node } from './schema-index.ts';

/** As a type beside another, or as one more alternative. */
export const nullAsType: Step = (node, visit) => (allowsNull(visit) ? orNullType(node) : node);

/** The root is never null at a provider. */
function allowsNull(visit: Visit): boolean {
  if (visit.nullable && visit.isRoot) visit.lose('type', 'that it may be null is not said');
  return visit.nullable && !visit.isRoot;
}

export function orNullType(node: Node): Node {
  const { type, anyOf, enum: choices } = node;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return node;
  if (Array.isArray(anyOf)) {
    const has = anyOf.some(each => (each as Node)['type'] === 'null');
    return has ? node : { ...node, anyOf: [...anyOf, nullSchema] };
  }
  if (typeof type === 'string' && type !== 'object' && type !== 'array') {
    return { ...node, type: [type, 'null'], ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}) };
  }
  const { description, title, ...rest } = node;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, nullSchema],
  };
}

/** As one more alternative, always. */
export const nullAsAlternative: Step = (node, visit) => {
  if (node['type'] === 'null' || !allowsNull(visit)) return node;
  if (Array.isArray(node['anyOf'])) return orNullType(node);
  const { description, title, ...rest } = node;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    anyOf: [rest, nullSchema],
  };
};

/** By the word `nullable`; in a union each alternative says it. */
export const nullAsWord: Step = (node, visit) => {
  const { type, anyOf } = node;
  if (type === 'null') {
    visit.lose('type', 'that only null may be given is not said');
    return { ...node, type: 'string', nullable: true };
  }
  if (!allowsNull(visit)) return node;
  if (!Array.isArray(anyOf)) return { ...node, nullable: true };
  return { ...node, anyOf: anyOf.map(each => ({ ...(each as Node), nullable: true })) };
};

/** Not at all: a value can be given, or left out where it may be. */
export const noNull: Step = (node, visit) => {
  if (node['type'] === 'null') {
    visit.lose('type', 'that only null may be given is not said');
    return { ...node, type: 'string' };
  }
  if (visit.nullable) visit.lose('type', 'that it may be null is not said');
  return node;
};

const nullSchema: Node = { type: 'null' };
