import { describe, expect, it } from 'vitest';
import type { Question } from '../protocol/question.ts';
import { answerQuestion } from './answers.ts';

const { signal } = new AbortController();
const questions: readonly [Question['kind'], Question][] = [
  ['elicit', { kind: 'elicit', params: { message: 'm', requestedSchema: {} } }],
  ['sample', { kind: 'sample', params: { messages: [], maxTokens: 1 } }],
  ['roots', { kind: 'roots' }],
];

describe('a question of the server', () => {
  it.each(questions)('of the kind %s is refused without a handler', async (kind, question) => {
    await expect(answerQuestion(question, {}, signal)).rejects.toMatchObject({
      code: -32601,
      message: `this client does not answer questions of the kind "${kind}"`,
    });
  });

  it('is answered by its handler, which gets the question and a signal', async () => {
    const given: unknown[] = [];
    const options = {
      onElicit: (...args: unknown[]) => {
        given.push(args);
        return { action: 'decline' } as const;
      },
      onSample: async () =>
        ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }) as const,
      onRoots: () => [{ uri: 'file:///a' }],
    };
    const [elicit, sample, roots] = questions.map(([, question]) => question) as [
      Question,
      Question,
      Question,
    ];
    expect(await answerQuestion(elicit, options, signal)).toEqual({ action: 'decline' });
    expect(given).toEqual([[elicit.params, { signal }]]);
    expect(await answerQuestion(sample, options, signal)).toMatchObject({ model: 'm' });
    expect(await answerQuestion(roots, options, signal)).toEqual({ roots: [{ uri: 'file:///a' }] });
  });
});
