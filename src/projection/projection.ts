/** What a projection gives: tools as a family of providers accepts them, what was lost, and the way back. */

/** A tool as it is before a projection. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A tool as it is sent. */
export interface ProjectedTool {
  /** Fits the rules of the provider; the same for the same name, whatever stands beside it. */
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** True where the schema fits the strict mode of a family that has one. */
  readonly strict: boolean;
}

/** One thing that a schema says and its projection does not. */
export interface Loss {
  readonly tool: string;
  /** JSON Pointer into the schema. */
  readonly path: string;
  readonly keyword: string;
  /** What became of it, as a sentence. */
  readonly message: string;
}

/** A tool that cannot be offered at all. */
export interface DroppedDefinition {
  readonly tool: string;
  readonly reason: string;
}

export interface Projection {
  /** In the order they were given, without those that were dropped. */
  readonly tools: readonly ProjectedTool[];
  readonly dropped: readonly DroppedDefinition[];
  readonly losses: readonly Loss[];
  /** What a tool is called at the provider; also for one that is no longer offered but stands in a history. */
  aliasOf(name: string): string;
  /** The tool that the provider means; an unknown word is given back as it is. */
  nameOf(alias: string): string;
}
