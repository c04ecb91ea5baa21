/** The explicit form of asking: what a handler returns to say "ask this, remember that, and run me again". */
import { printJson } from '../basics/json.ts';
import type { ElicitAnswer, ElicitQuestion, Root, SampleAnswer, SampleQuestion } from './question.ts';

/** One question: exactly one of its members. */
export type InputQuestion =
  | { readonly elicit: ElicitQuestion }
  | { readonly sample: SampleQuestion }
  | { readonly roots: true };

/** What was answered in this call so far, by the key of each question; nothing for what has no answer yet. */
export interface InputAnswers {
  elicit(key: string): ElicitAnswer | undefined;
  sample(key: string): SampleAnswer | undefined;
  roots(key: string): readonly Root[] | undefined;
}

const brand: unique symbol = Symbol.for('tenon.need-input') as never;

/** Made by `needInput`. */
export interface NeedInput {
  readonly questions: Readonly<Record<string, InputQuestion>>;
  readonly memo: unknown;
  readonly [brand]: true;
}

/**
 * Return it from a tool, a resource or a prompt: the client is asked all the questions at once, and the handler runs
 * again with their answers in `ctx.answers` and with `memo`, any JSON value, in `ctx.memo`. The client cannot read or
 * change the memo. Nothing of the handler waits meanwhile, so no code before an ask is run twice by surprise. A key
 * that was answered before is asked anew.
 */
export function needInput(
  questions: Readonly<Record<string, InputQuestion>>,
  memo: unknown = undefined,
): NeedInput {
  for (const [key, question] of Object.entries(questions)) {
    const kinds = ['elicit', 'sample', 'roots'].filter(kind => Object.hasOwn(question, kind));
    if (kinds.length === 1) continue;
    throw new TypeError(
      `needInput: the question "${key}" must have exactly one of elicit, sample and roots, got ${kinds.length}`,
    );
  }
  // Said here, where the mistake is, and not when the memo travels.
  if (memo !== undefined) printJson(memo);
  return Object.freeze({ questions, memo, [brand]: true as const });
}

/** True for what `needInput` of this or any other copy of the package made. */
export function isNeedInput(value: unknown): value is NeedInput {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}
