/** The root of structured output: where a provider wants an object, a schema must say so, and say what is in it. */
import { isObject } from '../../basics/json.ts';
import type { Step, Visit } from './dialect.ts';
import type { Node } from './schema-index.ts';
import { peek } from './settle.ts';

/** Refuses what may be anything but an object, and lists of whole values; expects a settled root, unions in place. */
export const requireObjectRoot: Step = (node, visit) => {
  if (!visit.isRoot) return node;
  for (const keyword of ['enum', 'const']) {
    if (keyword in node) visit.refuse(keyword, 'the output must be an object, not one of some whole values');
  }
  if (!isAlwaysObject(node, visit, 0)) {
    visit.refuse('type', 'the output must be an object, and the schema does not say that it is one');
  }
  return node;
};

/** Refuses an object of which nothing is said, where it would be closed and so always be empty. */
export const refuseBareRoot: Step = (node, visit) => {
  const { type, properties, additionalProperties } = node;
  const isBare = !isObject(properties) || Object.keys(properties).length === 0;
  if (visit.isRoot && type === 'object' && isBare && additionalProperties === undefined) {
    visit.refuse('properties', 'an object is asked for without saying what is in it');
  }
  return node;
};

const mostLevels = 16;

function isAlwaysObject(node: Node, visit: Visit, level: number): boolean {
  const { type, properties, anyOf, oneOf } = node;
  if (type !== undefined) return type === 'object';
  if (isObject(properties)) return true;
  return [anyOf, oneOf].some(
    union =>
      Array.isArray(union) &&
      level < mostLevels &&
      union.every(way => isAlwaysObject(peek(way, visit), visit, level + 1)),
  );
}
