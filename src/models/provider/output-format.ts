/** The wanted output as the two endpoints of OpenAI take it: a named schema, strict where strict mode can hold it. */
import type { ModelRequest } from '../model.ts';

export interface OutputFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

export function outputFormat({ name, schema }: NonNullable<ModelRequest['output']>): OutputFormat {
  return { name, schema, strict: isStrict(schema) };
}

/** Whether every object in it forbids other members and requires all of its own, as strict mode demands. */
function isStrict(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (Array.isArray(schema)) return schema.every(isStrict);
  const { type, properties, required, additionalProperties } = schema as Readonly<Record<string, unknown>>;
  if (type === 'object' || properties !== undefined) {
    const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const all = Array.isArray(required) ? required : [];
    if (additionalProperties !== false || !names.every(name => all.includes(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
