/** Answers what a server asks, by the handlers that the client was given. */
import type { Question } from '../protocol/question.ts';
import type { Params } from '../rpc/message.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
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
      if (options.onElicit) return { ...(await options.onElicit(question.params, context)) };
      break;
    case 'sample':
      if (options.onSample) return { ...(await options.onSample(question.params, context)) };
      break;
    case 'roots':
      if (options.onRoots) return { roots: await options.onRoots(context) };
  }
  const message = `this client does not answer questions of the kind "${question.kind}"`;
  throw new ProtocolError(codes.methodNotFound, message);
}
