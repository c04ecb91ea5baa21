/** Arrays as providers take them: one schema for all items, always said. */
import type { Step } from './dialect.ts';
import { distinct } from './merge.ts';

/** A tuple becomes a list of what any of its places holds. */
export const levelTuples: Step = (node, visit) => {
  const { prefixItems, ...rest } = node;
  if (!Array.isArray(prefixItems)) return node;
  visit.lose('prefixItems', 'which item stands where is not said');
  const kinds = distinct([...prefixItems, rest['items'] ?? false]).filter(kind => kind !== false);
  return { ...rest, items: kinds.length > 1 ? { anyOf: kinds } : (kinds[0] ?? {}) };
};

/** Says `{}` for items of which nothing is said. */
export const sayItems: Step = node => {
  const { type } = node;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && node['items'] === undefined ? { ...node, items: {} } : node;
};

/** Keeps a `minItems` of 0 or 1; more is told in words. */
export const keepShortMinimum: Step = (node, visit) => {
  const { minItems, ...rest } = node;
  if (typeof minItems !== 'number' || minItems <= 1) return node;
  visit.hint(`minItems: ${minItems}`);
  visit.lose('minItems', 'it is told in the description; what comes back is still checked against it');
  return { ...rest, minItems: 1 };
};
