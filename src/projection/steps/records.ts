/** Objects as providers take them: which names may be given, which must. */
import { isObject } from '../../basics/json.ts';
import { aliasFor, type NameRule } from '../name-rule.ts';
import type { Step, Visit } from './dialect.ts';
import type { Node } from './schema-index.ts';

/** An object always says its `properties`, if none. */
export const sayProperties: Step = node => {
  const { type } = node;
  const isRecord = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return isRecord && !isObject(node['properties']) ? { ...node, properties: {} } : node;
};

/** The other way round: no `properties` where there are none to say. */
export const leaveOutNoProperties: Step = node => {
  const { properties, ...rest } = node;
  return isObject(properties) && Object.keys(properties).length === 0 ? rest : node;
};

/** Names that must be given are listed, so that they can be. */
export const listRequired: Step = node => {
  const { properties, required, additionalProperties: others } = node;
  if (!Array.isArray(required)) return node;
  const known = isObject(properties) ? properties : {};
  const unlisted = required.filter(name => !Object.hasOwn(known, name));
  if (unlisted.length === 0) return node;
  const schema = isObject(others) ? others : {};
  const listed = [...Object.entries(known), ...unlisted.map(name => [String(name), schema] as const)];
  return { ...node, properties: Object.fromEntries(listed) };
};

/** Names that must be given and are not described are told in words; a list of none is left out. */
export const requireKnownNames: Step = (node, visit) => {
  const { required, ...rest } = node;
  if (!Array.isArray(required)) return node;
  const known = required.filter(
    name => isObject(node['properties']) && Object.hasOwn(node['properties'], name),
  );
  if (known.length < required.length) {
    const others = required.filter(name => !known.includes(name));
    visit.hint(`required: ${others.join(', ')}`);
    visit.lose('required', `${others.join(', ')} must be given, and nothing else is said of it`);
  }
  return known.length === 0 ? rest : { ...rest, required: known };
};

/** Names that are not listed are told in words, for a provider that knows listed ones only. */
export const tellOpenNames: Step = (node, visit) => {
  const { additionalProperties: others, patternProperties: patterns, ...rest } = node;
  if (others === undefined && patterns === undefined) return node;
  if (others !== undefined)
    visit.lose('additionalProperties', 'what may be given under other names is not said');
  if (isObject(patterns)) {
    visit.hint(`names may be such as ${Object.keys(patterns).join(', ').slice(0, 120)}`);
    visit.lose('patternProperties', 'what may be given under names of a pattern is not said');
  }
  if (isObject(others)) {
    const type = typeof others['type'] === 'string' ? ` of type ${others['type']}` : '';
    visit.hint(`any names, each with a value${type}`);
  } else if (others === true) visit.hint('other names may be given too');
  return rest;
};

/** Only listed names, as a strict provider wants it; an object that lives of other names is refused. */
export const closeNames: Step = (node, visit) => {
  if (node['type'] !== 'object') return node;
  const { additionalProperties: others, patternProperties: patterns, properties, ...rest } = node;
  const isListed = isObject(properties) && Object.keys(properties).length > 0;
  const isOpen =
    isObject(others) || others === true || (isObject(patterns) && Object.keys(patterns).length > 0);
  if (isOpen) visit.refuse('additionalProperties', 'names that are not listed may be given');
  else if (!isListed && others === undefined && !visit.isRoot) {
    visit.refuse('properties', 'an object is asked for without saying what is in it');
  }
  return { ...rest, properties: isObject(properties) ? properties : {}, additionalProperties: false };
};

/** Every listed name must be given; what could be left out may be null instead. Works on finished schemas. */
export function requireAll(orNull: (schema: Node) => Node): Step {
  return node => {
    const { properties } = node;
    if (node['type'] !== 'object' || !isObject(properties)) return node;
    const required = new Set<unknown>(Array.isArray(node['required']) ? node['required'] : []);
    const all = Object.entries(properties).map(([name, schema]) => {
      return [name, required.has(name) ? schema : orNull(schema as Node)] as const;
    });
    return { ...node, properties: Object.fromEntries(all), required: all.map(([name]) => name) };
  };
}

/** Gives an alias to names that a rule refuses; the clean-up of arguments gives the names back. */
export function renameProperties(rule: NameRule): Step {
  const rename = (name: string): string => aliasFor(name, rule);
  const keys = (value: unknown): unknown =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [rename(name), each]))
      : value;
  const list = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(name => rename(String(name))) : value;
  return (node, visit) => {
    const renamed: Record<string, unknown> = { ...node };
    for (const [keyword, change] of Object.entries({
      properties: keys,
      dependentSchemas: keys,
      required: list,
      dependentRequired: (value: unknown) =>
        isObject(value)
          ? keys(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, list(each)])))
          : value,
    })) {
      if (node[keyword] !== undefined) renamed[keyword] = change(node[keyword]);
    }
    const listed = Array.isArray(node['required']) ? node['required'].map(String) : [];
    const all = new Set([...Object.keys(node['properties'] ?? {}), ...listed]);
    const odd = [...all].filter(name => rename(name) !== name);
    if (odd.length === 0) return renamed;
    const [goes, names] = [
      odd.length === 1 ? 'goes' : 'go',
      odd.map(name => JSON.stringify(name)).join(', '),
    ];
    visit.lose('properties', `${names} ${goes} by another name, for a name must ${rule.says}`);
    return leaveOutNameRules(renamed, visit);
  };
}

/** What speaks of names says nothing true of aliases. */
function leaveOutNameRules(node: Node, visit: Visit): Node {
  const { propertyNames, patternProperties, ...rest } = node;
  const message = 'it is left out, for names go by others here; the arguments are still checked against it';
  if (propertyNames !== undefined) visit.lose('propertyNames', message);
  if (patternProperties === undefined) return rest;
  visit.lose('patternProperties', message);
  // What a pattern allowed must not be forbidden with it.
  return { ...rest, additionalProperties: true };
}
