/** From a call as the model wrote it to a tool and its checked arguments, or to a refusal the model can mend. */
import type { ToolCall } from '../../models/model.ts';
import { explain } from '../../schema/explain.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { readArguments } from './read-arguments.ts';
import type { PreparedTool, ToolRegistry } from './tool-registry.ts';

/** A call that can be run, or why it cannot. */
export type PreparedCall<Deps> =
  | {
      readonly ok: true;
      readonly tool: PreparedTool<Deps>;
      readonly args: unknown;
      /** What was mended in the arguments, as sentences. */
      readonly changes: readonly string[];
    }
  /** A ToolError, or what a schema library threw instead of judging. */
  | { readonly ok: false; readonly tool: PreparedTool<Deps> | undefined; readonly error: unknown };

/** Never rejects. `tidy`: whether slips that the schema does not allow are mended before it judges. */
export async function prepareCall<Deps>(
  call: ToolCall,
  registry: ToolRegistry<Deps>,
  tidy: boolean,
): Promise<PreparedCall<Deps>> {
  const tool = registry.tools.get(call.name);
  if (tool === undefined) return { ok: false, tool, error: unknownTool(call.name, registry) };
  try {
    const read = readArguments(call.arguments, tool.input.json, tidy);
    if (!read.ok) return refuse(tool, `the arguments ${read.reason}`);
    const { value, changes } = read;
    const verdict = await tool.input.validate(value);
    if (verdict.ok) return { ok: true, tool, args: verdict.value, changes };
    const why = await explain(verdict.issues, { schema: tool.input.json, value });
    return refuse(tool, `the arguments do not fit its schema: ${why}`);
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
