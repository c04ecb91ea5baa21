/** JSON of a schema out of a model: asked for, found among whatever it writes, judged, and asked for again. */
import { messageOf } from '../basics/failure.ts';
import { printJson } from '../basics/json.ts';
import { notify } from '../basics/notify.ts';
import { checkFunction, checkNumber, checkText } from '../basics/option-checks.ts';
import { shorten } from '../basics/shorten.ts';
import type { Model, ModelMessage } from '../models/model.ts';
import { tidyOutput } from '../projection/tidy/tidy-arguments.ts';
import { type CompiledSchema, compileSchema } from '../schema/compile.ts';
import { explain } from '../schema/explain.ts';
import type { InferOutput, Schema } from '../schema/schema.ts';
import { toPatternError } from './contract/failures.ts';
import { PatternError } from './contract/pattern-error.ts';
import { askThrough, checkPatternOptions, type PatternOptions } from './contract/pattern-options.ts';
import { freezeResult, type PatternResult } from './contract/result.ts';
import { extractJson } from './text/extract-json.ts';

export interface StructuredOptions<S extends Schema> extends PatternOptions {
  /** What the value must be. */
  readonly schema: S;
  /** How often the model may mend what does not fit: an integer of at least 0; 3 by default. */
  readonly retries?: number | undefined;
  /** Judges what the schema accepted: nothing, true or '' accept it, false or a text that says why reject it. */
  readonly validate?:
    | ((value: InferOutput<S>) => boolean | string | undefined | Promise<boolean | string | undefined>)
    | undefined;
}

export interface StructuredEvidence {
  /** Answers of the model. */
  readonly attempts: number;
  /** Why each answer before the last was not taken. */
  readonly rejections: readonly string[];
  /** The last answer as it was written. */
  readonly text: string;
  readonly notes: readonly string[];
}

const ownTemperature = 0;
/** What of an answer that did not fit is shown to the model again. */
const mostShown = 8000;

/**
 * Asks for JSON that fits `schema`, natively where the model can, and reads it out of prose and fences too. An answer
 * that does not fit is sent back with what is wrong. Throws a TypeError, or a TenonError about the schema, before
 * anything is spent; else a PatternError with the cost, of kind `unusable-output` when no answer fits.
 */
export async function structured<const S extends Schema>(
  model: Model,
  prompt: string,
  options: StructuredOptions<S>,
): Promise<PatternResult<InferOutput<S>, StructuredEvidence>> {
  const where = 'structured';
  checkPatternOptions(where, model, options);
  checkText(where, 'prompt', prompt);
  checkNumber(where, 'retries', options.retries, { integer: true, min: 0 });
  checkFunction(where, 'validate', options.validate);
  const schema = compileSchema(options.schema);
  const { retries = 3, signal } = options;
  const { meter, ask } = askThrough(model, options, ownTemperature);
  const output = { name: 'output', schema: schema.json };
  const task = `${prompt}\n\nAnswer with nothing but JSON that fits this schema:\n${printJson(schema.json)}`;
  const rejections: string[] = [];
  let text = '';
  const gather = (attempts: number): StructuredEvidence => ({
    attempts,
    rejections: Object.freeze([...rejections]),
    text,
    notes: meter.notes,
  });
  for (let attempt = 1; ; attempt += 1) {
    let read: Judged;
    try {
      const messages = attempt === 1 ? [toUser(task)] : repair(task, text, rejections.at(-1) ?? '');
      ({ text } = await ask(`answer ${attempt}`, { messages, output }));
      read = await judge(text, schema, options);
    } catch (error) {
      throw toPatternError(where, error, { signal, cost: meter.cost, evidence: gather(attempt) });
    }
    notify(options.onProgress, { done: attempt, total: retries + 1 });
    if (read.ok) {
      const evidence = gather(attempt);
      return freezeResult({
        value: read.value as InferOutput<S>,
        score: undefined,
        cost: meter.cost,
        evidence,
      });
    }
    rejections.push(read.reason);
    if (attempt <= retries) continue;
    throw new PatternError(`${where}: no usable answer after ${attempt} attempts: ${read.reason}`, {
      kind: 'unusable-output',
      cost: meter.cost,
      evidence: gather(attempt),
      hint: 'Raise retries, simplify the schema, or say in the prompt what is wanted.',
    });
  }
}

type Judged =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

async function judge<S extends Schema>(
  text: string,
  schema: CompiledSchema,
  { validate }: StructuredOptions<S>,
): Promise<Judged> {
  const found = extractJson(text);
  if (!found.ok) return { ok: false, reason: `the answer is not JSON: ${found.reason}` };
  // Providers that hold a model to a schema make it write null for what may be left out.
  const { value } = tidyOutput(found.value, schema.json);
  const verdict = await schema.validate(value);
  if (!verdict.ok) {
    const why = await explain(verdict.issues, { schema: schema.json, value });
    return { ok: false, reason: `the answer does not fit the schema: ${why}` };
  }
  const objection = await object(verdict.value as InferOutput<S>, validate);
  return objection === undefined ? verdict : { ok: false, reason: objection };
}

/** What a validator that throws means to say is that the value is not right. */
async function object<Value>(
  value: Value,
  validate: ((value: Value) => unknown) | undefined,
): Promise<string | undefined> {
  if (validate === undefined) return undefined;
  let said: unknown;
  try {
    said = await validate(value);
  } catch (error) {
    return messageOf(error);
  }
  if (typeof said === 'string' && said !== '') return said;
  return said === false ? 'the value was not accepted' : undefined;
}

function repair(task: string, answer: string, reason: string): readonly ModelMessage[] {
  return [
    toUser(task),
    { role: 'assistant', content: shorten(answer, mostShown, '… [cut]') },
    toUser(`${reason}\n\nAnswer the task again with nothing but the mended JSON.`),
  ];
}

function toUser(content: string): ModelMessage {
  return { role: 'user', content };
}
