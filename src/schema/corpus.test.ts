import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile.ts';
import type { JsonSchemaObject } from './schema.ts';
import { isSchemaError } from './schema-error.ts';

const folder = resolve(import.meta.dirname, '../../../shared/corpus');
const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : [];

describe.skipIf(files.length === 0)('captures of real servers (skipped without ../shared/corpus)', () => {
  it('have schemas that compile, or are refused with a reason, and judge an empty object without failing', async () => {
    const count = { schemas: 0, noted: 0, refused: [] as string[] };
    for (const file of files) {
      const { tools = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { tools?: Tool[] };
      for (const tool of tools) {
        for (const schema of [tool.inputSchema, tool.outputSchema]) {
          if (schema === undefined) continue;
          count.schemas++;
          try {
            const compiled = compileSchema(schema, { root: 'object' });
            if (compiled.notes.length > 0) count.noted++;
            const verdict = await compiled.validate({});
            const required = schema['required'];
            expect(verdict.ok).toBe(!Array.isArray(required) || required.length === 0);
          } catch (error) {
            if (!isSchemaError(error)) throw error;
            count.refused.push(`${file}: ${tool.name}: ${error.message}`);
          }
        }
      }
    }
    console.log(`schemas of ${files.length} servers: ${JSON.stringify(count)}`);
    expect(count.schemas).toBeGreaterThan(1000);
    expect(count.refused.length).toBeLessThan(count.schemas / 100);
  });
});

interface Tool {
  readonly name: string;
  readonly inputSchema?: JsonSchemaObject;
  readonly outputSchema?: JsonSchemaObject;
}
