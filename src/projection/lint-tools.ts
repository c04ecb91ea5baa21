/** What becomes of tools at each family of providers, as data. */
import { families, familyNames } from './families.ts';
import type { FamilyName } from './family.ts';
import { judgeTools, projectTools } from './project-tools.ts';
import type { Loss, ToolDefinition } from './projection.ts';

/** One tool at one family. */
export interface ToolReport {
  /** Its own name; its place in the list when it has none. */
  readonly tool: string;
  readonly family: FamilyName;
  /** What it is called there; absent when it is left out. */
  readonly alias?: string;
  /** Why it is called otherwise, if it is. */
  readonly renamed?: string;
  /** True where the provider is asked to hold its model to the schema. */
  readonly strict: boolean;
  /** Why it is left out, if it is. */
  readonly dropped?: string;
  readonly losses: readonly Omit<Loss, 'tool'>[];
}

/** One report for each tool and family, tool by tool. All families unless some are named. Never throws for odd tools. */
export function lintTools(
  tools: readonly ToolDefinition[],
  wanted: readonly FamilyName[] = familyNames,
): readonly ToolReport[] {
  const byFamily = wanted.map(family => reportFamily(tools, family));
  return tools.flatMap((_, at) => byFamily.flatMap(reports => reports[at] ?? []));
}

function reportFamily(tools: readonly ToolDefinition[], family: FamilyName): readonly ToolReport[] {
  const { aliasOf } = projectTools(tools, family);
  const { says } = families[family].toolNames;
  return judgeTools(tools, family).map(({ name, projected }) => {
    const about = { tool: name, family };
    if (!projected.ok) return { ...about, strict: false, dropped: projected.reason, losses: [] };
    const { strict, losses } = projected;
    const alias = aliasOf(name);
    return { ...about, alias, ...(alias === name ? {} : { renamed: `a name must ${says}` }), strict, losses };
  });
}
