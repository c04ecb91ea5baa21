/** The model's answer as the output that was asked for, or what to tell the model about it. */

import { TenonError } from '../../basics/failure.ts';
import { parseJson } from '../../basics/json.ts';
import { restoreArgumentNames, tidyOutput } from '../../projection/tidy/tidy-arguments.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import { explain } from '../../schema/explain.ts';
import type { Issue } from '../../schema/issues.ts';
import { isToolError } from '../../tools/tool-error.ts';

/**
 * How a model is asked for an output with a schema. `native`: by the provider's own structured output. `tool`: by a
 * tool whose arguments are the answer. `text`: by words at the end of the instructions.
 */
export type OutputMode = 'native' | 'tool' | 'text';

/** What the output must be, and how often the model may correct itself. */
export interface OutputPlan {
  /** None for text that only `decode` judges. */
  readonly schema: CompiledSchema | undefined;
  readonly mode: OutputMode;
  readonly retries: number;
  readonly decode: ((value: unknown) => unknown) | undefined;
}

/** The model's answer is not the output that was asked for; the cause of a RunError at stage `decode`. */
export class OutputError extends TenonError {
  override readonly name = 'OutputError';
  /** The answer as the model wrote it. */
  readonly text: string;
  /** Why it does not fit; none when it is not JSON, or `decode` refused it. */
  readonly issues: readonly Issue[];

  constructor(message: string, text: string, issues: readonly Issue[] = [], cause?: unknown) {
    const hint = 'Say in the instructions what is wanted, or raise outputRetries.';
    super(message, { hint, ...(cause === undefined ? {} : { cause }) }, ['OutputError']);
    this.text = text;
    this.issues = issues;
  }
}

export type ReadOutput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: OutputError };

/**
 * Judges the model's final text: read as JSON, also when it stands in one code fence, where there is a schema. With
 * `tidy`, slips that the schema does not allow are mended before it judges; among them is the null that strict modes
 * make a model write for what may be left out. Rejects when a schema library throws, or `decode` throws anything but a
 * ToolError.
 */
export async function readOutput(text: string, plan: OutputPlan, tidy: boolean): Promise<ReadOutput> {
  if (plan.schema === undefined) return decodeOutput(text, text, plan);
  const parsed = parseJson(withoutFence(text.trim()));
  if (!parsed.ok) {
    return { ok: false, error: new OutputError(`the answer is not valid JSON (${parsed.reason})`, text) };
  }
  // Names that a provider could not take are given back in any case.
  const { value } = (tidy ? tidyOutput : restoreArgumentNames)(parsed.value, plan.schema.json);
  return judgeOutput(value, text, plan);
}

/** Judges data that was read already; `text` is what the model wrote. Rejects as `readOutput` does. */
export async function judgeOutput(data: unknown, text: string, plan: OutputPlan): Promise<ReadOutput> {
  const { schema } = plan;
  if (schema === undefined) return decodeOutput(data, text, plan);
  const verdict = await schema.validate(data);
  if (verdict.ok) return decodeOutput(verdict.value, text, plan);
  const why = await explain(verdict.issues, { schema: schema.json, value: data });
  const message = `the answer does not fit the schema: ${why}`;
  return { ok: false, error: new OutputError(message, text, verdict.issues) };
}

async function decodeOutput(value: unknown, text: string, { decode }: OutputPlan): Promise<ReadOutput> {
  if (decode === undefined) return { ok: true, value };
  try {
    return { ok: true, value: await decode(value) };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { ok: false, error: new OutputError(error.message, text, [], error) };
  }
}

/** What the model reads about an answer that was not accepted. */
export function correction(error: OutputError, plan: OutputPlan, outputTool?: string): string {
  const why = sentence(error.message);
  if (outputTool !== undefined) return `${why} Call ${outputTool} again with arguments that fit.`;
  if (plan.schema === undefined) return `${why} Answer again.`;
  return `${why} Answer again with ${wanted(plan.schema)}`;
}

/** The last paragraph of the instructions when the model is asked in words; nothing in other modes. */
export function askInWords(plan: OutputPlan | undefined): string {
  if (plan?.mode !== 'text' || plan.schema === undefined) return '';
  return `Give your final answer as ${wanted(plan.schema)}`;
}

function wanted({ json }: CompiledSchema): string {
  return `nothing but JSON that fits this schema: ${JSON.stringify(json)}`;
}

function sentence(message: string): string {
  const end = /[.!?]$/.test(message) ? '' : '.';
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${end}`;
}

function withoutFence(text: string): string {
  if (!text.startsWith('```') || !text.endsWith('```') || text.length < 6) return text;
  const firstLine = text.indexOf('\n');
  return firstLine === -1 ? text : text.slice(firstLine + 1, -3).trim();
}
