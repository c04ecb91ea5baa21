/** What a list of tools says of one tool; without versions. */
import type { JsonSchemaObject } from '../schema/schema.ts';
import type { ToolAnnotations } from '../tools/tool.ts';

/** A tool as a server lists it. */
export interface ToolListing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchemaObject;
  readonly outputSchema?: JsonSchemaObject;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}
