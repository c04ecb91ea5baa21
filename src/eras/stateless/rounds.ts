/** Answers one round of questions that a result of the stateless era asked, each in its turn. */
import { raceAbort } from '../../basics/abort.ts';
import { readObject } from '../../protocol/identity.ts';
import { readQuestion } from '../../protocol/question.ts';
import type { Params } from '../../rpc/message.ts';
import { codes, ProtocolError } from '../../rpc/protocol-error.ts';
import type { Answer } from '../question-turns.ts';

const mostQuestions = 1000;

/** A result that asks before it answers. */
export type Round = Params & { readonly inputRequests?: unknown; readonly requestState?: unknown };

/** The parameters to add to the repeated request. One question that cannot be answered fails the call. */
export async function answerRound(
  round: Round,
  method: string,
  answer: Answer,
  signal: AbortSignal,
): Promise<Params> {
  const asked = Object.entries(readObject(round.inputRequests));
  const state = round.requestState;
  if (asked.length === 0 && typeof state !== 'string') {
    throw new ProtocolError(codes.internalError, 'the server asks for input but names no question', {
      method,
    });
  }
  if (asked.length > mostQuestions) {
    const why = `the server asks ${asked.length} questions at once; ${mostQuestions} are the limit`;
    throw new ProtocolError(codes.internalError, why, { method });
  }
  // When one question fails the others are withdrawn rather than left open.
  const controller = new AbortController();
  const joined = AbortSignal.any([signal, controller.signal]);
  try {
    const answers = await Promise.all(
      asked.map(([key, request]) => answerOne(key, request, method, answer, joined)),
    );
    return {
      ...(asked.length > 0 ? { inputResponses: Object.fromEntries(answers) } : {}),
      ...(typeof state === 'string' ? { requestState: state } : {}),
    };
  } catch (thrown) {
    controller.abort(thrown);
    throw signal.aborted ? signal.reason : thrown;
  }
}

async function answerOne(
  key: string,
  request: unknown,
  method: string,
  answer: Answer,
  signal: AbortSignal,
): Promise<[string, Params]> {
  const { method: asks, params } = readObject(request);
  const question = readQuestion(asks, params ?? {});
  if (!question) {
    const why = `the server asks "${key}" by ${JSON.stringify(asks)}, which this client does not know`;
    throw new ProtocolError(codes.internalError, why, { method });
  }
  return [key, await raceAbort(answer(question, signal), signal)];
}
