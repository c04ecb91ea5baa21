/** Judges arguments by the schema of the tool before they are sent, and says what is wrong in the words of the shell. */
import { compileSchema } from '../../../schema/compile.ts';
import { explain } from '../../../schema/explain.ts';
import type { JsonSchemaObject } from '../../../schema/schema.ts';
import { SchemaError } from '../../../schema/schema-error.ts';
import { UsageError } from '../../command.ts';
import { argumentsOf } from '../../listing/signature.ts';
import { plainLine } from '../../print.ts';

/** A schema that cannot be used judges nothing, which is told to `warn`. Throws a `UsageError` when they do not fit. */
export async function checkArguments(
  tool: { readonly name: string; readonly inputSchema: JsonSchemaObject },
  args: Readonly<Record<string, unknown>>,
  warn: (text: string) => void,
): Promise<void> {
  const { inputSchema: schema } = tool;
  try {
    const verdict = await compileSchema(schema, { root: 'object' }).validate(args);
    if (verdict.ok) return;
    const why = await explain(verdict.issues, { schema, value: args });
    throw new UsageError(
      plainLine(`the arguments do not fit ${tool.name}: ${why}\n`).trim() +
        `\nIt takes (${argumentsOf(schema)})`,
    );
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    warn(
      plainLine(
        `the arguments are sent unchecked, since the schema of ${tool.name} cannot be used: ${error.message}`,
      ),
    );
  }
}
