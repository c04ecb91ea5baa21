/** What an opened formula says of the properties and items of a value. */
import { isObject } from '../../basics/json.ts';
import type { Node } from '../steps/schema-index.ts';
import type { Formula, Opened, Stated } from './formula.ts';

type Find = (node: Node) => readonly unknown[];

/** What is said of the property `name`. */
export function propertyOf(opened: Opened, name: string): Formula {
  return inside(opened, ({ properties, patternProperties, additionalProperties }) => {
    if (isObject(properties) && Object.hasOwn(properties, name)) return [properties[name]];
    // Whether a pattern fits is not looked at, so nothing is known.
    return patternProperties === undefined && additionalProperties !== undefined
      ? [additionalProperties]
      : [];
  });
}

/** What is said of the item at `index`. */
export function itemOf(opened: Opened, index: number): Formula {
  return inside(opened, ({ prefixItems, items, additionalItems }) => {
    const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    if (index < places.length) return [places[index]];
    const rest = Array.isArray(items) ? additionalItems : items;
    return rest === undefined ? [] : [rest];
  });
}

/** True when a schema names the property; what is merely allowed under other names is not meant. */
export function isListed({ nodes, groups }: Opened, name: string): boolean {
  return (
    nodes.some(({ node: { properties } }) => isObject(properties) && Object.hasOwn(properties, name)) ||
    groups.some(group => group.some(each => isListed(each, name)))
  );
}

/** True when the value does not fit without the property. */
export function mustBeGiven({ nodes, groups }: Opened, name: string): boolean {
  return (
    nodes.some(({ node: { required } }) => Array.isArray(required) && required.includes(name)) ||
    groups.some(group => group.every(each => mustBeGiven(each, name)))
  );
}

function inside({ nodes, groups }: Opened, find: Find): Formula {
  const all: Stated[] = nodes.flatMap(({ node, base }) => find(node).map(schema => ({ schema, base })));
  return { all, any: groups.map(group => group.map(each => inside(each, find))) };
}
