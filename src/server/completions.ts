/** Answers what a client wants completed: an argument of a prompt, or a variable of a resource template. */
import { sketch } from '../basics/sketch.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { readObject } from '../protocol/identity.ts';
import { codes, ProtocolError } from '../rpc/protocol-error.ts';
import { type Completer, complete, readCompletion } from './completer.ts';
import type { PromptOffer } from './prompt-offer.ts';
import type { ResourceOffer } from './resource-offer.ts';

export async function answerCompletion(
  call: Call,
  offered: { readonly prompts: PromptOffer | undefined; readonly resources: ResourceOffer | undefined },
): Promise<Outcome> {
  const question = readCompletion(call);
  const { type, name, uri } = readObject(call.params['ref']);
  let completer: Completer | undefined;
  if (type === 'ref/prompt' && typeof name === 'string' && offered.prompts) {
    completer = offered.prompts.completer(name, question.name);
  } else if (type === 'ref/resource' && typeof uri === 'string' && offered.resources) {
    completer = offered.resources.completer(uri, question.name);
  } else {
    const why = `ref must name a prompt (ref/prompt) or a resource template (ref/resource) of this server, got ${sketch(type)}`;
    throw new ProtocolError(codes.invalidParams, why);
  }
  return { value: { completion: await complete(completer, question, call) } };
}
