/** What is looked at before a question goes to a client: that it can be shown at all, and that this client can answer. */

import { MissingCapability } from '../protocol/errors.ts';
import { formFault } from '../protocol/form.ts';
import { type Question, questionKinds } from '../protocol/question.ts';
import type { ClientView } from '../tools/context.ts';
import type { InputQuestion } from '../tools/need-input.ts';
import type { ElicitQuestion } from '../tools/question.ts';
import { missingOf } from './required.ts';

/** Throws a TypeError for a question that nobody could answer, a `MissingCapability` for one this client cannot. */
export function checkQuestion(key: string, question: Question, client: ClientView): void {
  if (question.kind === 'elicit') checkElicit(key, question.params);
  const lack = lackFor(question, client);
  if (!lack) return;
  throw new MissingCapability(
    `the client cannot be asked "${key}": it does not offer ${lack.what}`,
    lack.missing,
  );
}

/** What this client lacks to answer the question, in words and as capabilities; nothing when it can. */
export function lackFor(
  question: Question,
  client: ClientView,
): { readonly what: string; readonly missing: Readonly<Record<string, unknown>> } | undefined {
  const { capability } = questionKinds[question.kind];
  const mode = modeOf(question);
  const required = { [capability]: mode === undefined ? {} : { [mode]: {} } };
  const missing = missingOf(required, client.capabilities);
  return missing && { what: mode === undefined ? capability : `${capability} (${mode})`, missing };
}

/** A question as `needInput` takes it, in the form that travels. */
export function toQuestion(input: InputQuestion): Question {
  if ('elicit' in input) return { kind: 'elicit', params: input.elicit };
  return 'sample' in input ? { kind: 'sample', params: input.sample } : { kind: 'roots' };
}

function modeOf(question: Question): string | undefined {
  switch (question.kind) {
    case 'elicit':
      return question.params.mode ?? 'form';
    case 'sample': {
      const { tools, toolChoice } = question.params;
      return tools === undefined && toolChoice === undefined ? undefined : 'tools';
    }
    case 'roots':
      return undefined;
  }
}

function checkElicit(key: string, question: ElicitQuestion): void {
  const fault = question.mode === 'url' ? urlFault(question.url) : formFault(question.requestedSchema);
  if (fault !== undefined) throw new TypeError(`elicit: the question "${key}" cannot be asked: ${fault}`);
}

function urlFault(url: unknown): string | undefined {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return undefined;
  return 'url must be an absolute http or https URL';
}
