/** The tool `structured`: data of a schema that the operator named; callers choose the name and never send a schema. */
import { printJson } from '../../basics/json.ts';
import { structured } from '../../patterns/structured.ts';
import { compileSchema } from '../../schema/compile.ts';
import { schemaFault } from '../../schema/schema-error.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Tool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { StructuredBounds } from './pattern-bounds.ts';
import { describeResult, type PatternSetting, patternAnnotations, runPattern } from './pattern-call.ts';
import { structuredInput } from './pattern-inputs.ts';
import { structuredOutput } from './pattern-outputs.ts';

const description =
  'Has a language model give data of a fixed form, read out of a text or made up as asked, and checks it. ' +
  'The forms are set by this server; choose one by its name.';

/** Throws a TypeError that names a schema which cannot be used. */
export function serveStructured(setting: PatternSetting, bounds: StructuredBounds): Tool {
  const { schema: input, usual } = structuredInput(bounds);
  for (const [name, { schema }] of Object.entries(bounds.schemas)) checkSchema(name, schema);
  return tool({
    name: 'structured',
    title: 'Structured data',
    description: bounds.description ?? description,
    input,
    output: structuredOutput,
    annotations: patternAnnotations,
    run: ({ prompt, schema: name, max_repairs: retries = usual.max_repairs }, ctx: ToolContext) =>
      runPattern(setting, { prompt, total: retries + 1, bounds }, ctx, async (model, watch) => {
        const chosen = Object.hasOwn(bounds.schemas, name) ? bounds.schemas[name] : undefined;
        if (chosen === undefined) throw new ToolError(`there is no schema ${JSON.stringify(name)}`);
        const { schema } = chosen;
        const { value, cost, evidence } = await structured(model, prompt, { ...watch, schema, retries });
        const { attempts, notes } = evidence;
        return {
          ...describeResult(printJson(value), { schema: name, attempts }, cost),
          structuredContent: { data: value, schema: name, attempts, notes, usage: cost },
        };
      }),
  }) as Tool;
}

function checkSchema(name: string, schema: unknown): void {
  try {
    compileSchema(schema as Parameters<typeof compileSchema>[0]);
  } catch (error) {
    throw new TypeError(
      `servePatterns: patterns.structured.schemas.${name} is not a usable schema: ${schemaFault(error)}`,
      { cause: error },
    );
  }
}
