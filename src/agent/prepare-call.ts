/** From a call as the model wrote it to a tool and its checked arguments, or to a refusal the model can mend. */
import { isObject, parseJson } from '../basics/json.ts';
import { sketch } from '../basics/sketch.ts';
import type { ToolCall } from '../models/model.ts';
import { explainIssues } from '../schema/issues.ts';
import { ToolError } from '../tools/tool-error.ts';
import type { PreparedTool, ToolRegistry } from './tool-registry.ts';

/** A call that can be run, or why it cannot. */
export type PreparedCall<Deps> =
  | { readonly ok: true; readonly tool: PreparedTool<Deps>; readonly args: unknown }
  /** A ToolError, or what a schema library threw instead of judging. */
  | { readonly ok: false; readonly tool: PreparedTool<Deps> | undefined; readonly error: unknown };

/** Never rejects. */
export async function prepareCall<Deps>(
  call: ToolCall,
  registry: ToolRegistry<Deps>,
): Promise<PreparedCall<Deps>> {
  const tool = registry.tools.get(call.name);
  if (tool === undefined) return { ok: false, tool, error: unknownTool(call.name, registry) };
  // Models write nothing at all for a tool without arguments.
  const parsed = parseJson(call.arguments.trim() === '' ? '{}' : call.arguments);
  if (!parsed.ok) {
    return refuse(tool, `the arguments are not valid JSON (${parsed.reason}); send one JSON object`);
  }
  if (!isObject(parsed.value)) {
    return refuse(tool, `the arguments must be one JSON object, not ${sketch(parsed.value)}`);
  }
  try {
    const verdict = await tool.input.validate(parsed.value);
    if (verdict.ok) return { ok: true, tool, args: verdict.value };
    return refuse(
      tool,
      `the arguments do not fit its schema: ${explainIssues(verdict.issues, { schema: tool.input.json, value: parsed.value })}`,
    );
  } catch (error) {
    return { ok: false, tool, error };
  }
}

function refuse<Deps>(tool: PreparedTool<Deps>, why: string): PreparedCall<Deps> {
  return { ok: false, tool, error: new ToolError(`Tool "${tool.name}" was not run: ${why}`) };
}

function unknownTool<Deps>(name: string, { tools }: ToolRegistry<Deps>): ToolError {
  const known = [...tools.keys()];
  const remedy =
    known.length === 0 ? 'there are no tools; answer without' : `use one of: ${known.join(', ')}`;
  return new ToolError(`There is no tool named ${JSON.stringify(name)}; ${remedy}`);
}
