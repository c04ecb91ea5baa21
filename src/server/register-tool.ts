/** A tool made ready to run: its schemas compiled, its entry in the list written. */
import { readAnnotations } from '../eras/for-servers.ts';
import type { ToolListing } from '../protocol/tool-listing.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { schemaFault } from '../schema/schema-error.ts';
import { checkTool } from '../tools/check-tool.ts';
import type { AnyTool } from '../tools/tool.ts';

/** A tool that is ready to run. */
export interface RegisteredTool {
  readonly tool: AnyTool;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  readonly listing: ToolListing;
}

/** Throws a TypeError that names the tool when it is none or a schema of it cannot be used. */
export function registerTool(tool: AnyTool, index: number): readonly [string, RegisteredTool] {
  checkTool('Server', tool, index);
  let input: CompiledSchema;
  let output: CompiledSchema | undefined;
  try {
    input = compileSchema(tool.input, { root: 'object', io: 'input' });
    output = tool.output === undefined ? undefined : compileSchema(tool.output, { io: 'output' });
  } catch (cause) {
    throw new TypeError(`tool "${tool.name}": its schema cannot be used: ${schemaFault(cause)}`, { cause });
  }
  const mirrored = readAnnotations(input.json);
  if (!mirrored.ok) throw new TypeError(`tool "${tool.name}": its schema cannot be used: ${mirrored.reason}`);
  return [tool.name, { tool, input, output, listing: list(tool, input, output) }];
}

function list(tool: AnyTool, input: CompiledSchema, output: CompiledSchema | undefined): ToolListing {
  const { name, title, description, annotations, icons, _meta } = tool;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: input.json,
    ...(output === undefined ? {} : { outputSchema: output.json }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}
