/** The tools of an agent, checked once: compiled schemas, budgets, and how they are shown to the model. */

import { TenonError } from '../basics/failure.ts';
import type { ToolSpec } from '../models/model.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { schemaFault } from '../schema/schema-error.ts';
import { checkTool } from '../tools/check-tool.ts';
import type { ToolContext } from '../tools/context.ts';
import type { AnyTool, Tool } from '../tools/tool.ts';

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
  readonly run: (args: unknown, ctx: ToolContext<Deps>) => unknown;
}

export interface ToolRegistry<Deps> {
  readonly tools: ReadonlyMap<string, PreparedTool<Deps>>;
  readonly specs: readonly ToolSpec[];
  readonly defaultRetries: number;
}

export interface RegistryDefaults {
  readonly retries: number;
  readonly timeout: number | undefined;
  /** The only tool that is offered, when set. */
  readonly choice: string | undefined;
}

/** Throws a TypeError, or the schema's own error, that names the tool which cannot be used and why. */
export function registerTools<Deps>(
  tools: readonly AnyTool<Deps>[],
  { retries, timeout, choice }: RegistryDefaults,
): ToolRegistry<Deps> {
  if (!Array.isArray(tools)) throw new TypeError('Agent: tools must be a list of tools');
  const prepared = new Map<string, PreparedTool<Deps>>();
  const specs: ToolSpec[] = [];
  for (const [index, tool] of (tools as readonly Tool<never, Deps>[]).entries()) {
    checkTool('Agent', tool, index);
    const { name, description } = tool;
    if (prepared.has(name)) {
      throw new TypeError(`Agent: two tools are named "${name}"; rename one, or leave it out`);
    }
    const input = compile(tool.input, `tool "${name}": input`, 'object');
    prepared.set(name, {
      name,
      input,
      output: tool.output === undefined ? undefined : compile(tool.output, `tool "${name}": output`),
      retries: tool.retries ?? retries,
      timeout: tool.timeout ?? timeout,
      sequential: tool.sequential ?? false,
      // What `input` accepts is what `run` takes; the types of `tool()` see to that.
      run: (args, ctx) => tool.run(args as never, ctx),
    });
    specs.push({ name, description, parameters: input.json });
  }
  if (choice === undefined) return { tools: prepared, specs, defaultRetries: retries };
  const chosen = prepared.get(choice);
  if (chosen === undefined) throw new TypeError(`Agent: toolChoice "${choice}" is none of its tools`);
  return {
    tools: new Map([[choice, chosen]]),
    specs: specs.filter(spec => spec.name === choice),
    defaultRetries: retries,
  };
}

/** Compiles, and says of which schema an error speaks. */
export function compile(schema: unknown, what: string, root: 'object' | 'any' = 'any'): CompiledSchema {
  try {
    return compileSchema(schema as Parameters<typeof compileSchema>[0], { root });
  } catch (error) {
    throw new TenonError(`Agent: ${what} is not a usable schema: ${schemaFault(error)}`, { cause: error });
  }
}
