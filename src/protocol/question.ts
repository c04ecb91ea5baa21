/** What a server may ask while it handles a call, as one union, and the wire names of each kind. */
import type { ElicitQuestion, SampleQuestion } from '../tools/question.ts';

export type Question =
  | { readonly kind: 'elicit'; readonly params: ElicitQuestion }
  | { readonly kind: 'sample'; readonly params: SampleQuestion }
  | { readonly kind: 'roots'; readonly params?: undefined };

export type QuestionKind = Question['kind'];

/** Per kind: its method, and the capability with which a client says that it can answer. */
export const questionKinds: Readonly<
  Record<QuestionKind, { readonly method: string; readonly capability: string }>
> = {
  elicit: { method: 'elicitation/create', capability: 'elicitation' },
  sample: { method: 'sampling/createMessage', capability: 'sampling' },
  roots: { method: 'roots/list', capability: 'roots' },
};

/** The question that a method and its parameters stand for; nothing for any other method. */
export function readQuestion(method: unknown, params: unknown): Question | undefined {
  switch (method) {
    case 'elicitation/create':
      return { kind: 'elicit', params: params as ElicitQuestion };
    case 'sampling/createMessage':
      return { kind: 'sample', params: params as SampleQuestion };
    case 'roots/list':
      return { kind: 'roots' };
    default:
      return undefined;
  }
}
