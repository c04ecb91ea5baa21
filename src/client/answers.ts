/** Answers what a server asks, by the handlers that the client was given. */
import { sketch } from '../basics/sketch.ts';
import { formDefaults } from '../protocol/form.ts';
import type { Question } from '../protocol/question.ts';
import type { Params } from '../rpc/message.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import type { ElicitAnswer, ElicitQuestion } from '../tools/question.ts';
import type { ClientOptions } from './options.ts';

/** The result to send back; rejects with the `ProtocolError` to answer with when there is no handler. */
export async function answerQuestion(
  question: Question,
  options: ClientOptions,
  signal: AbortSignal,
): Promise<Params> {
  const context = { signal };
  switch (question.kind) {
    case 'elicit':
      if (options.onElicit) {
        checkMode('elicit', question.params.mode ?? 'form', options.modes?.elicit ?? ['form', 'url']);
        return fillIn(question.params, await options.onElicit(question.params, context));
      }
      break;
    case 'sample':
      if (options.onSample) {
        const { tools, toolChoice } = question.params;
        if (tools !== undefined || toolChoice !== undefined) {
          checkMode('sample', 'tools', options.modes?.sample ?? []);
        }
        return { ...(await options.onSample(question.params, context)) };
      }
      break;
    case 'roots':
      if (options.onRoots) return { roots: await options.onRoots(context) };
  }
  const message = `this client does not answer questions of the kind "${question.kind}"`;
  throw new ProtocolError(codes.methodNotFound, message);
}

/** A question of a kind that the client did not say it answers never reaches its handler. */
function checkMode(kind: string, mode: string, offered: readonly string[]): void {
  if (offered.includes(mode)) return;
  const message = `this client does not answer questions of the kind "${kind}" in the mode ${sketch(mode)}`;
  throw new ProtocolError(codes.invalidParams, message);
}

/** Fields of an accepted form that were left out have the values that the form began with. */
function fillIn(question: ElicitQuestion, answer: ElicitAnswer): Params {
  if (answer.action !== 'accept' || question.mode === 'url') return { ...answer };
  return { ...answer, content: { ...formDefaults(question.requestedSchema), ...answer.content } };
}
