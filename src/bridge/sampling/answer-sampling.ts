/** A server's sampling questions answered by a model of this program: behind a gate, and within bounds. */
import { raceAbort } from '../../basics/abort.ts';
import { type Clock, systemClock } from '../../basics/clock.ts';
import { messageOf } from '../../basics/failure.ts';
import { notify } from '../../basics/notify.ts';
import { checkFunction, checkNumber } from '../../basics/option-checks.ts';
import { excerpt } from '../../basics/redact.ts';
import { Slots } from '../../basics/slots.ts';
import type { AnswerContext } from '../../client/options.ts';
import { noAnswer, unusableQuestion, userRejected } from '../../client/question-refusal.ts';
import { checkModel } from '../../models/check-model.ts';
import { collect, type ModelResponse } from '../../models/collect.ts';
import { countableUsage } from '../../models/countable-usage.ts';
import type { Model, ModelRequest, Usage } from '../../models/model.ts';
import { usageOfFailure } from '../../models/model-error.ts';
import type { SampleAnswer, SampleQuestion } from '../../tools/question.ts';
import { toSampleAnswer } from './sample-answer.ts';
import { SampleBounds } from './sample-bounds.ts';
import { toModelRequest } from './sample-request.ts';

/** One question that waits for a decision. */
export interface SamplingRequest {
  /** As the server sent it; show it to whoever decides. */
  readonly question: SampleQuestion;
  /** Of the model that would answer. */
  readonly model: string;
  /** What the answer may have; never more than the server asked for. */
  readonly maxTokens: number;
  /** Aborts when the server no longer wants the answer. */
  readonly signal: AbortSignal;
}

/** Nothing but `true` or `allow: true` lets the model be asked. The server is told `reason`. */
export type SamplingDecision = boolean | { readonly allow: boolean; readonly reason?: string | undefined };

export interface AnswerSamplingOptions {
  /** Asked before the model is; `always` lets every question through. What it throws keeps the model from being asked. */
  readonly approve: 'always' | ((request: SamplingRequest) => SamplingDecision | Promise<SamplingDecision>);
  /** Asked before an answer is sent; all are sent unless set. */
  readonly review?:
    | ((answer: SampleAnswer, request: SamplingRequest) => SamplingDecision | Promise<SamplingDecision>)
    | undefined;
  /** Another model for this question, such as by its `modelPreferences`; nothing for the usual one. */
  readonly modelFor?: ((question: SampleQuestion) => Model | undefined) | undefined;
  /** Most tokens of one answer; 4,096 unless set. */
  readonly maxTokens?: number | undefined;
  /** Most tokens over all answers, input and output together; unlimited unless set. */
  readonly maxTotalTokens?: number | undefined;
  /** Most questions in all; 100 unless set. Refused ones count too, as they do in a minute. */
  readonly maxRequests?: number | undefined;
  /** Most questions in any minute; 20 unless set. */
  readonly maxPerMinute?: number | undefined;
  /** Most questions that are decided and answered at once; 1 unless set. Others wait their turn. */
  readonly maxConcurrent?: number | undefined;
  /** Told what each answer used, failed ones included. */
  readonly onUsage?: ((usage: Usage, request: SamplingRequest) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** For `onSample` of a client. */
export type SampleHandler = (question: SampleQuestion, context: AnswerContext) => Promise<SampleAnswer>;

/**
 * The handler. Give the client `modes: { sample: ['tools'] }` too when servers may offer tools to the model; calls of
 * these go back to the server, none is run here. Throws a TypeError that names the option which cannot be used.
 */
export function answerSampling(model: Model, options: AnswerSamplingOptions): SampleHandler {
  checkOptions(model, options);
  const { maxTotalTokens = Infinity, maxRequests = 100, maxPerMinute = 20, clock = systemClock } = options;
  const bounds = new SampleBounds({ maxTotalTokens, maxRequests, maxPerMinute }, clock);
  const slots = new Slots(options.maxConcurrent ?? 1);
  return async (question, { signal }) => {
    bounds.admit();
    const maxTokens = grant(question.maxTokens, options.maxTokens ?? 4096);
    const answering = choose(question, model, options.modelFor);
    const wanted = toModelRequest(question, maxTokens);
    const request: SamplingRequest = { question, model: answering.name, maxTokens, signal };
    const release = await slots.take(signal);
    try {
      bounds.recheck();
      const { approve, review } = options;
      if (approve !== 'always') await decide(() => approve(request), signal, 'asking the model');
      bounds.recheck();
      const response = await ask(answering, wanted, signal, usage => {
        bounds.spend(usage);
        notify(options.onUsage, usage, request);
      });
      const answer = toSampleAnswer(response, answering.name, question.stopSequences);
      if (review) await decide(() => review(answer, request), signal, "sending the model's answer");
      return answer;
    } finally {
      release();
    }
  };
}

function choose(question: SampleQuestion, usual: Model, modelFor: AnswerSamplingOptions['modelFor']): Model {
  try {
    return modelFor?.(question) ?? usual;
  } catch (error) {
    throw noAnswer('no model could be chosen for this question', error);
  }
}

/** What the server asked for, within what may be spent. */
function grant(asked: unknown, most: number): number {
  if (!Number.isSafeInteger(asked) || (asked as number) < 1) {
    throw unusableQuestion('maxTokens must be an integer of at least 1');
  }
  return Math.min(asked as number, most);
}

async function decide(
  ask: () => SamplingDecision | Promise<SamplingDecision>,
  signal: AbortSignal,
  what: string,
): Promise<void> {
  let decision: unknown;
  try {
    decision = await raceAbort((async () => await ask())(), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw noAnswer(`nobody could be asked about ${what}`, error);
  }
  const { allow, reason } = (typeof decision === 'object' && decision !== null ? decision : {}) as {
    readonly allow?: unknown;
    readonly reason?: unknown;
  };
  if (decision === true || allow === true) return;
  throw userRejected(typeof reason === 'string' && reason !== '' ? reason : `the user rejected ${what}`);
}

/** Rejects with the `ProtocolError` to answer with, or at once with the signal's reason. */
async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  spend: (usage: Usage) => void,
): Promise<ModelResponse> {
  let attempts = 0;
  const onAttempt = (): void => {
    attempts += 1;
  };
  try {
    const response = await raceAbort(collect(model.respond(request, { signal, onAttempt })), signal);
    spend(countableUsage(response.usage));
    return response;
  } catch (error) {
    spend(usageOfFailure(error, attempts));
    signal.throwIfAborted();
    throw noAnswer(`the model gave no answer: ${excerpt(messageOf(error))}`, error);
  }
}

function checkOptions(model: Model, options: AnswerSamplingOptions): void {
  const where = 'answerSampling';
  checkModel(where, model);
  const { approve } = (options ?? {}) as Partial<AnswerSamplingOptions>;
  if (approve !== 'always' && typeof approve !== 'function') {
    throw new TypeError(
      `${where}: approve must be a function that decides about each question, or "always" to let all through`,
    );
  }
  for (const name of ['review', 'modelFor', 'onUsage'] as const) checkFunction(where, name, options[name]);
  for (const name of ['maxTokens', 'maxRequests', 'maxPerMinute', 'maxConcurrent'] as const) {
    checkNumber(where, name, options[name], { integer: true, min: 1 });
  }
  checkNumber(where, 'maxTotalTokens', options.maxTotalTokens, { integer: true, min: 1 });
}
