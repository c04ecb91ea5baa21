/** How many serving processes a call came through: ends servers that use each other, or themselves, for ever. */
import type { ClientView, ImplementationInfo } from '../../tools/context.ts';

/** Most servers of this kind one behind the other. */
export const deepest = 3;

/** What a served process says of itself to the servers that it uses for calls of this depth. */
export function infoAtDepth(depth: number, version: string): ImplementationInfo {
  return { name: `tenon serve (depth ${depth})`, version };
}

/**
 * 0 for whoever is no such process. A caller may lie about it, and gains nothing: it could make the calls itself, one
 * by one, and budgets hold for them all.
 */
export function depthOf({ info }: Pick<ClientView, 'info'>): number {
  const [, digits] = /^tenon serve \(depth (\d{1,3})\)$/.exec(info?.name ?? '') ?? [];
  return digits === undefined ? 0 : Number(digits);
}
