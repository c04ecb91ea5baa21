/** The final text as the output that was asked for, or what to tell the model about it. */

import { TenonError } from '../basics/failure.ts';
import { parseJson } from '../basics/json.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { explainIssues, type Issue } from '../schema/issues.ts';

/** What the output must be, and how often the model may correct itself. */
export interface OutputPlan {
  readonly schema: CompiledSchema;
  readonly retries: number;
}

/** The model's final text is not the output that was asked for; the cause of a RunError at stage `decode`. */
export class OutputError extends TenonError {
  override readonly name = 'OutputError';
  /** The text as the model wrote it. */
  readonly text: string;
  /** Why it does not fit; none when it is not JSON. */
  readonly issues: readonly Issue[];

  constructor(message: string, text: string, issues: readonly Issue[] = []) {
    super(message, { hint: 'Say in the instructions what is wanted, or raise outputRetries.' }, [
      'OutputError',
    ]);
    this.text = text;
    this.issues = issues;
  }
}

export type ReadOutput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: OutputError };

/** Reads JSON, also when it stands in one code fence, and judges it. Rejects only when a schema library throws. */
export async function readOutput(text: string, schema: CompiledSchema): Promise<ReadOutput> {
  const parsed = parseJson(withoutFence(text.trim()));
  if (!parsed.ok) {
    return { ok: false, error: new OutputError(`the answer is not valid JSON (${parsed.reason})`, text) };
  }
  const verdict = await schema.validate(parsed.value);
  if (verdict.ok) return verdict;
  const why = explainIssues(verdict.issues, { schema: schema.json, value: parsed.value });
  return {
    ok: false,
    error: new OutputError(`the answer does not fit the schema: ${why}`, text, verdict.issues),
  };
}

/** What the model reads about an answer that was not accepted. */
export function correction(error: OutputError, schema: CompiledSchema): string {
  return `${sentence(error.message)} Answer again with nothing but JSON that fits this schema: ${JSON.stringify(schema.json)}`;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 6) return text;
  const firstLine = text.indexOf('\n');
  return firstLine === -1 ? text : text.slice(firstLine + 1, -3).trim();
}
