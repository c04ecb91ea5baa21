/** Schemas that judge one value through each other: endless loops and explosions, found before any value comes. */
import type { JsonSchemaObject } from './schema.ts';

/** One schema and those that it applies to the same value. */
export interface InPlace {
  readonly pointer: string;
  readonly applies: JsonSchemaObject[];
}

export type InPlaceGraph = Map<JsonSchemaObject, InPlace>;

/** What is wrong, and where it starts. */
export interface Recursion {
  readonly kind: 'loop' | 'explosion';
  readonly pointer: string;
}

/**
 * The first schema that comes back to itself without going into the value, or that would apply more than `limit`
 * schemas to one value. Counts paths, as an interpreter walks them, in time linear in the size of the graph.
 */
export function findRecursion(graph: InPlaceGraph, limit: number): Recursion | undefined {
  const costs = new Map<JsonSchemaObject, number>();
  for (const start of graph.keys()) {
    if (costs.has(start)) continue;
    const trail = [{ schema: start, next: 0, cost: 1 }];
    const open = new Set([start]);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const node = graph.get(top.schema);
      const child = node?.applies[top.next++];
      if (child === undefined) {
        if (top.cost > limit) return { kind: 'explosion', pointer: node?.pointer ?? '#' };
        costs.set(top.schema, top.cost);
        open.delete(top.schema);
        trail.pop();
        const parent = trail.at(-1);
        if (parent !== undefined) parent.cost += top.cost;
      } else if (open.has(child)) {
        return { kind: 'loop', pointer: node?.pointer ?? '#' };
      } else if (costs.has(child)) {
        top.cost += costs.get(child) ?? 0;
      } else {
        open.add(child);
        trail.push({ schema: child, next: 0, cost: 1 });
      }
    }
  }
  return undefined;
}
