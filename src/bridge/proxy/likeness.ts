/** The options of a client that stands for another: the same name, and handlers for what that one can answer. */
import { isObject } from '../../basics/json.ts';
import type { AnswerModes, ClientOptions } from '../../client/options.ts';
import type { Question } from '../../protocol/question.ts';
import type { Params } from '../../rpc/message.ts';
import type { ClientView } from '../../tools/context.ts';
import type { ElicitAnswer, Root, SampleAnswer } from '../../tools/question.ts';

/** Asks the client that is stood for; gives its answer as it came. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Params>;

/** Only what the client offers has a handler, so that the server behind is promised no more than that. */
export function likenessOf({ info, capabilities }: ClientView, ask: Ask): ClientOptions {
  const { elicitation, sampling, roots } = capabilities;
  return {
    ...(info === undefined ? {} : { info }),
    modes: modesOf(elicitation, sampling),
    ...(isObject(elicitation)
      ? {
          onElicit: async (params, { signal }) =>
            (await ask({ kind: 'elicit', params }, signal)) as unknown as ElicitAnswer,
        }
      : {}),
    ...(isObject(sampling)
      ? {
          onSample: async (params, { signal }) =>
            (await ask({ kind: 'sample', params }, signal)) as unknown as SampleAnswer,
        }
      : {}),
    ...(isObject(roots)
      ? { onRoots: async ({ signal }) => readRoots(await ask({ kind: 'roots' }, signal)) }
      : {}),
  };
}

/** Whether a client can be asked anything at all. */
export function canBeAsked({ capabilities }: ClientView): boolean {
  const { elicitation, sampling, roots } = capabilities;
  return [elicitation, sampling, roots].some(isObject);
}

function modesOf(elicitation: unknown, sampling: unknown): AnswerModes {
  const elicit = (['form', 'url'] as const).filter(
    mode => isObject(elicitation) && isObject(elicitation[mode]),
  );
  const sample = (['tools', 'context'] as const).filter(
    mode => isObject(sampling) && isObject(sampling[mode]),
  );
  // An elicitation capability without modes means forms.
  return { elicit: elicit.length === 0 ? ['form'] : elicit, sample };
}

function readRoots({ roots }: Params): readonly Root[] {
  return Array.isArray(roots) ? (roots as readonly Root[]) : [];
}
