/** The root of a tool's arguments, which is an object and says so. */
import type { Step } from './dialect.ts';
import { settle } from './settle.ts';

/** Opens what stands at the root, where no provider takes a reference. */
export const settleRoot: Step = (node, visit) => (visit.isRoot ? settle(node, visit) : node);

export const objectRoot: Step = (node, visit) =>
  visit.isRoot ? { ...node, type: 'object', properties: node['properties'] ?? {} } : node;
