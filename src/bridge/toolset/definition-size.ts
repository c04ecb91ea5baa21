/** About how many tokens the definition of a tool takes in a request. */
import type { AnyTool } from '../../tools/tool.ts';

const charactersPerToken = 4;

/**
 * Characters of name, description and schema as JSON, divided by four and rounded up: near enough for English text with
 * the tokenizers in use, too low for scripts that take more tokens per character.
 */
export function estimateTokens(definition: {
  readonly name: string;
  readonly description: string;
  readonly parameters: unknown;
}): number {
  return Math.ceil(JSON.stringify(definition).length / charactersPerToken);
}

/** The same for a tool whose input is plain JSON Schema, as that of servers is. */
export function sizeOf({ name, description, input }: AnyTool<never>): number {
  return estimateTokens({ name, description, parameters: input });
}
