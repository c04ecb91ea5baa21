/** The wanted output as the two endpoints of OpenAI take it: a named schema, strict where strict mode can hold it. */
import { projectOutput } from '../../projection/project-schema.ts';
import type { ModelRequest } from '../model.ts';

export interface OutputFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

/**
 * `undefined` where no form of the schema would be taken; the answer is then only checked here. In strict mode what may
 * be left out comes as null, which is taken out again before the check.
 */
export function outputFormat({
  name,
  schema,
}: NonNullable<ModelRequest['output']>): OutputFormat | undefined {
  const projected = projectOutput(schema, 'openai-strict');
  return projected.ok
    ? { name: tidyName(name), schema: projected.schema, strict: projected.strict }
    : undefined;
}

/** Letters, digits, `_` and `-`, 64 at most: what the endpoints take. */
function tidyName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64) || 'output';
}
