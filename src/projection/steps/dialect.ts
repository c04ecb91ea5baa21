/** How a provider wants a schema written: steps that each schema inside it goes through, outermost first. */
import type { Target } from '../../schema/references.ts';
import type { Node, SchemaIndex } from './schema-index.ts';

/** What a step may know and say of the schema it works on. */
export interface Visit {
  readonly index: SchemaIndex;
  /** JSON Pointer into the original schema. */
  readonly pointer: string;
  /** The URI that references of this schema start from. */
  base: string;
  readonly isRoot: boolean;
  /** The schemas that references were followed to on the way here; one of them again is a recursion. */
  trail: readonly unknown[];
  /** True once the schema was found to allow null beside the rest. */
  nullable: boolean;
  /** True once nothing more is to be done, as for a reference that is kept. */
  isDone: boolean;
  /** Notes that the projection does not say what `keyword` says. */
  lose(keyword: string, message: string): void;
  /** False when so much was opened already that the rest stays closed. */
  mayOpen(): boolean;
  /** Gives up on this dialect; the first reason counts. */
  refuse(keyword: string, message: string): void;
  /** Tells people and models in words what the schema cannot say. */
  hint(text: string): void;
  /** The reference to a definition at the root, which is written when all else is. */
  define(target: Target): string;
}

/** One idea of how to rewrite a schema. Gets and gives a plain object, changes nothing. */
export type Step = (node: Node, visit: Visit) => Node;

export interface Dialect {
  /** Run before the schemas inside a schema are visited; only what they leave in is visited. */
  readonly before: readonly Step[];
  /** Run when the schemas inside are as they will be sent. */
  readonly after: readonly Step[];
  /** Whether a schema that is too large when written out may be sent with its ends open. */
  readonly mayCut: boolean;
  /** Judges the whole; gives a reason when the provider would refuse it. */
  readonly limits?: (schema: Node) => string | undefined;
}
