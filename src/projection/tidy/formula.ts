/** What a schema says of one place in a value, as far as it is certain: all of these, and one of each of those. */
import type { Node, SchemaIndex } from '../steps/schema-index.ts';

/** A schema and the URI that its references start from. */
export interface Stated {
  readonly schema: unknown;
  readonly base: string;
}

/** Every schema of `all` applies, and of each group in `any` at least one formula. */
export interface Formula {
  readonly all: readonly Stated[];
  readonly any: readonly (readonly Formula[])[];
}

/** A formula without references and `allOf`, and without alternatives that certainly do not fit the value. */
export interface Opened {
  readonly nodes: readonly { readonly node: Node; readonly base: string }[];
  readonly groups: readonly (readonly Opened[])[];
}

/** Counts what is looked at. Beyond the bounds everything may fit, so that nothing is changed. */
export interface Look {
  readonly index: SchemaIndex;
  count: number;
}

const mostLooks = 20_000;
export const mostLevels = 64;

/** False when so much was looked at that the rest must stay as it is. */
export function mayLook(look: Look): boolean {
  look.count += 1;
  return look.count <= mostLooks;
}
