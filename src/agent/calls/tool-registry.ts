/** Tools made ready once: compiled schemas, budgets, and how they are shown to the model. */

import { TenonError } from '../../basics/failure.ts';
import type { ToolSpec } from '../../models/model.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { schemaFault } from '../../schema/schema-error.ts';
import { checkTool } from '../../tools/check-tool.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { AnyTool, Tool } from '../../tools/tool.ts';

/** A tool that is ready to be called. */
export interface PreparedTool<Deps> {
  readonly name: string;
  readonly input: CompiledSchema;
  readonly output: CompiledSchema | undefined;
  /** How often in a row it may fail in a way the model can mend. */
  readonly retries: number;
  /** Milliseconds, or no limit. */
  readonly timeout: number | undefined;
  readonly sequential: boolean;
  readonly needsApproval?: boolean | ((args: unknown) => boolean | Promise<boolean>);
  readonly run: (args: unknown, ctx: ToolContext<Deps>) => unknown;
}

/** A tool, and how it is shown. */
export interface ReadyTool<Deps> {
  readonly prepared: PreparedTool<Deps>;
  readonly spec: ToolSpec;
}

/** The tools of one turn. */
export interface ToolRegistry<Deps> {
  readonly tools: ReadonlyMap<string, PreparedTool<Deps>>;
  readonly specs: readonly ToolSpec[];
  readonly defaultRetries: number;
}

/** What holds for tools that do not say it themselves. */
export interface ToolDefaults {
  readonly retries: number;
  readonly timeout: number | undefined;
}

/** Throws a TypeError, or a TenonError about a schema, that names the tool and why it cannot be used. */
export function prepareTool<Deps>(
  given: AnyTool<Deps>,
  index: number,
  defaults: ToolDefaults,
): ReadyTool<Deps> {
  checkTool('Agent', given, index);
  const tool = given as unknown as Tool<never, Deps>;
  const { name, description } = tool;
  const input = compile(tool.input, `tool "${name}": input`, 'object');
  const prepared: PreparedTool<Deps> = {
    name,
    input,
    output: tool.output === undefined ? undefined : compile(tool.output, `tool "${name}": output`),
    retries: tool.retries ?? defaults.retries,
    timeout: tool.timeout ?? defaults.timeout,
    sequential: tool.sequential ?? false,
    ...(tool.needsApproval === undefined ? {} : { needsApproval: tool.needsApproval as boolean }),
    // What `input` accepts is what `run` takes; the types of `tool()` see to that.
    run: (args, ctx) => tool.run(args as never, ctx),
  };
  return { prepared, spec: { name, description, parameters: input.json } };
}

/** Tools by name. Throws as `prepareTool` does, and when two share a name. */
export function prepareTools<Deps>(
  tools: ReadonlyMap<number, AnyTool<Deps>>,
  defaults: ToolDefaults,
): ReadonlyMap<string, ReadyTool<Deps>> {
  const ready = new Map<string, ReadyTool<Deps>>();
  for (const [index, tool] of tools) {
    const prepared = prepareTool(tool, index, defaults);
    if (ready.has(tool.name)) {
      throw new TypeError(`Agent: two tools are named "${tool.name}"; rename one, or leave it out`);
    }
    ready.set(tool.name, prepared);
  }
  return ready;
}

/** The registry of these tools, in their order. */
export function toRegistry<Deps>(
  ready: Iterable<ReadyTool<Deps>>,
  defaultRetries: number,
): ToolRegistry<Deps> {
  const tools = new Map<string, PreparedTool<Deps>>();
  const specs: ToolSpec[] = [];
  for (const { prepared, spec } of ready) {
    tools.set(prepared.name, prepared);
    specs.push(spec);
  }
  return { tools, specs, defaultRetries };
}

/** Compiles, and says of which schema an error speaks. */
export function compile(schema: unknown, what: string, root: 'object' | 'any' = 'any'): CompiledSchema {
  try {
    return compileSchema(schema as Parameters<typeof compileSchema>[0], { root });
  } catch (error) {
    throw new TenonError(`Agent: ${what} is not a usable schema: ${schemaFault(error)}`, { cause: error });
  }
}
