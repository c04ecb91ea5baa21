/** Compares structured results with the output schemas that the server listed; a mismatch is noted, never hidden. */
import type { Diagnostic } from '../channels/channel.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { compileSchema } from '../schema/compile.ts';
import type { JsonSchemaObject } from '../schema/schema.ts';
import type { CallToolResult } from './call-result.ts';

export class OutputCheck {
  readonly #schemas = new Map<string, JsonSchemaObject>();
  readonly #compiled = new Map<string, CompiledSchema | undefined>();
  readonly #report: (diagnostic: Diagnostic) => void;

  constructor(report: (diagnostic: Diagnostic) => void) {
    this.#report = report;
  }

  /** A list was read to its end: its schemas replace the earlier ones. */
  learn(listed: readonly { readonly name: string; readonly outputSchema?: JsonSchemaObject }[]): void {
    this.#schemas.clear();
    this.#compiled.clear();
    for (const { name, outputSchema } of listed) if (outputSchema) this.#schemas.set(name, outputSchema);
  }

  /**
   * Nothing when there is nothing to wait for. Never rejects: the result belongs to the caller whether it fits or not.
   */
  check(name: string, result: CallToolResult): Promise<void> | undefined {
    // The schema describes success; a failure carries what it carries.
    return result.isError || !this.#schemas.has(name) ? undefined : this.#compare(name, result);
  }

  async #compare(name: string, result: CallToolResult): Promise<void> {
    const schema = this.#compile(name);
    if (!schema) return;
    if (result.structuredContent === undefined) {
      const message = `tools/call: "${name}" declares an output schema and gave no structured content`;
      this.#report({ kind: 'output-mismatch', message });
      return;
    }
    const content = `tools/call: the structured content of "${name}"`;
    try {
      const verdict = await schema.validate(result.structuredContent);
      if (verdict.ok) return;
      const message = `${content} does not fit its output schema`;
      this.#report({ kind: 'output-mismatch', message, data: verdict.issues.slice(0, 10) });
    } catch (error) {
      const message = `${content} could not be compared with its output schema`;
      this.#report({ kind: 'output-schema', message, data: error });
    }
  }

  #compile(name: string): CompiledSchema | undefined {
    if (this.#compiled.has(name)) return this.#compiled.get(name);
    let compiled: CompiledSchema | undefined;
    try {
      compiled = compileSchema(this.#schemas.get(name) ?? {});
    } catch (error) {
      const message = `tools/call: the output schema of "${name}" cannot be used; its results are not compared with it`;
      this.#report({ kind: 'output-schema', message, data: error });
    }
    this.#compiled.set(name, compiled);
    return compiled;
  }
}
