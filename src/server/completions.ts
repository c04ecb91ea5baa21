/** Answers what a client wants completed: an argument of a prompt, or a variable of a resource template. */
import { sketch } from '../basics/sketch.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { readObject } from '../protocol/identity.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { complete, readCompletion } from './completer.ts';
import type { Completing } from './offer.ts';

export async function answerCompletion(call: Call, kinds: readonly Completing[]): Promise<Outcome> {
  const question = readCompletion(call);
  const ref = readObject(call.params['ref']);
  const kind = kinds.find(({ type, key }) => type === ref['type'] && typeof ref[key] === 'string');
  if (!kind) {
    const why = `ref must name a prompt (ref/prompt) or a resource template (ref/resource) of this server, got ${sketch(ref['type'])}`;
    throw new ProtocolError(codes.invalidParams, why);
  }
  const completer = kind.find(String(ref[kind.key]), question.name);
  return { value: { completion: await complete(completer, question, call) } };
}
