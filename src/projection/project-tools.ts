/** Brings tools to what one family of providers accepts; pure, and remembered for a list that was seen before. */
import { isObject } from '../basics/json.ts';
import { assignAliases } from './aliases.ts';
import { families } from './families.ts';
import type { FamilyName } from './family.ts';
import { type ProjectedSchema, projectArguments } from './project-schema.ts';
import type { DroppedDefinition, Loss, ProjectedTool, Projection, ToolDefinition } from './projection.ts';
import { cutDescription } from './steps/cut-description.ts';

const remembered = new WeakMap<readonly ToolDefinition[], Map<FamilyName, Projection>>();

/**
 * The same list gives the same projection, so a list must not be changed once it was given. Never throws for odd
 * tools: one that cannot be used is in `dropped`.
 */
export function projectTools(tools: readonly ToolDefinition[], family: FamilyName): Projection {
  const known = remembered.get(tools) ?? new Map<FamilyName, Projection>();
  remembered.set(tools, known);
  let projection = known.get(family);
  if (projection === undefined) {
    projection = project(tools, family);
    known.set(family, projection);
  }
  return projection;
}

function project(tools: readonly ToolDefinition[], family: FamilyName): Projection {
  const dropped: DroppedDefinition[] = [];
  const losses: Loss[] = [];
  const sent = new Map<string, Omit<ProjectedTool, 'name'>>();
  for (const { name, description, projected } of judgeTools(tools, family)) {
    if (projected.ok) {
      sent.set(name, { description, parameters: projected.schema, strict: projected.strict });
      losses.push(...projected.losses.map(loss => ({ tool: name, ...loss })));
    } else dropped.push({ tool: name, reason: projected.reason });
  }
  const aliases = assignAliases([...sent.keys()], families[family].toolNames);
  return {
    tools: [...sent].map(([name, tool]) => ({ name: aliases.aliasOf(name), ...tool })),
    dropped,
    losses,
    ...aliases,
  };
}

/** What becomes of one tool of a list. */
export interface JudgedTool {
  /** Its place in the list when it has no name. */
  readonly name: string;
  /** As it is sent. */
  readonly description: string;
  readonly projected: ProjectedSchema;
}

/**
 * One for each tool, in their order; of several with the same name only the first that is usable is sent, and of more
 * than the family takes only the first.
 */
export function judgeTools(tools: readonly ToolDefinition[], family: FamilyName): readonly JudgedTool[] {
  const { mostTools = Number.POSITIVE_INFINITY } = families[family];
  const taken = new Set<string>();
  return tools.map((tool: unknown, index) => {
    const { name, description, parameters } = isObject(tool) ? tool : {};
    const isNamed = typeof name === 'string' && name !== '';
    const judged = {
      name: isNamed ? name : `tools[${index}]`,
      description: typeof description === 'string' ? description : '',
    };
    if (!isNamed) return { ...judged, projected: { ok: false, reason: 'it has no name' } };
    if (taken.has(name)) return { ...judged, projected: { ok: false, reason: sameName } };
    const projected = projectArguments(parameters, family);
    if (!projected.ok) return { ...judged, projected };
    if (taken.size >= mostTools) return { ...judged, projected: { ok: false, reason: tooMany(mostTools) } };
    taken.add(name);
    return describe({ ...judged, projected }, projected, family);
  });
}

const sameName = 'another tool of the same name stands before it; rename one of them';

function tooMany(most: number): string {
  return `at most ${most} tools are taken in one request; filter them, or set definitionBudget of a toolset, so that the model searches for them`;
}

/** The tool with no more of its description than the family takes. */
function describe(
  judged: JudgedTool,
  projected: Extract<ProjectedSchema, { ok: true }>,
  family: FamilyName,
): JudgedTool {
  const { description: given } = judged;
  const { longestDescription: most = Number.POSITIVE_INFINITY } = families[family];
  const description = cutDescription(given, most);
  if (description === given) return judged;
  const message = `the tool's description is cut: it has ${given.length} characters, and at most ${most} are taken`;
  const losses = [{ path: '', keyword: 'description', message }, ...projected.losses];
  return { ...judged, description, projected: { ...projected, losses } };
}
