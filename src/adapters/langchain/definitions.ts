/** A tool as LangChain makes one: the fields of its `tool()`, which the caller passes in. */
import type { ProjectedTool } from '../../projection/projection.ts';

/** The fields of `tool(run, fields)`. */
export interface LangChainFields {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  readonly responseFormat: 'content_and_artifact';
  readonly verboseParsingErrors: true;
}

/** JSON Schema of an object, in the narrower words of LangChain. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Record<string, never>;
  readonly additionalProperties: boolean;
}

/** What a run is told beside the arguments. */
export interface LangChainConfig {
  readonly signal?: AbortSignal | undefined;
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** `tool` of `@langchain/core/tools`. */
export type ToolFactory<T> = (
  run: (input: never, config: LangChainConfig) => Promise<unknown>,
  fields: LangChainFields,
) => T;

export function toFields({ name, description, parameters }: ProjectedTool): LangChainFields {
  return {
    name,
    description,
    schema: parameters as unknown as ObjectSchema,
    responseFormat: 'content_and_artifact',
    verboseParsingErrors: true,
  };
}
