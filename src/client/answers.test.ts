import { describe, expect, it } from 'vitest';
import type { Question } from '../protocol/question.ts';
import { answerQuestion } from './answers.ts';
import type { ClientOptions } from './options.ts';

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

  it.each<[string, Question, ClientOptions]>([
    [
      'a page',
      { kind: 'elicit', params: { mode: 'url', message: 'm', url: 'https://a.b' } },
      { modes: { elicit: ['form'] } },
    ],
    [
      'a form',
      { kind: 'elicit', params: { message: 'm', requestedSchema: {} } },
      { modes: { elicit: ['url'] } },
    ],
    ['something new', { kind: 'elicit', params: { mode: 'dance', message: 'm' } as never }, {}],
    ['tools', { kind: 'sample', params: { messages: [], maxTokens: 1, tools: [] } }, {}],
    [
      'a choice of tools',
      { kind: 'sample', params: { messages: [], maxTokens: 1, toolChoice: {} } },
      { modes: { sample: ['context'] } },
    ],
  ])('with %s never reaches a handler that does not take it', async (_what, question, options) => {
    const handlers: ClientOptions = {
      onElicit: () => ({ action: 'decline' }),
      onSample: () => ({ role: 'assistant', content: [], model: 'm' }),
    };
    await expect(answerQuestion(question, { ...handlers, ...options }, signal)).rejects.toMatchObject({
      code: -32602,
    });
    const all: ClientOptions = { ...handlers, modes: { elicit: ['form', 'url'], sample: ['tools'] } };
    if (_what !== 'something new') expect(await answerQuestion(question, all, signal)).toBeDefined();
  });

  it('by a form is answered with the defaults of what was left out, when it is accepted', async () => {
    const properties = {
      name: { type: 'string', default: 'John' },
      age: { type: 'integer', default: 30 },
      note: { type: 'string' },
    };
    const params = { message: 'm', requestedSchema: { type: 'object', properties } };
    const answer = (given: object) =>
      answerQuestion({ kind: 'elicit', params }, { onElicit: () => given as never }, signal);
    expect(await answer({ action: 'accept', content: { age: 4 } })).toEqual({
      action: 'accept',
      content: { name: 'John', age: 4 },
    });
    expect(await answer({ action: 'accept' })).toEqual({
      action: 'accept',
      content: { name: 'John', age: 30 },
    });
    expect(await answer({ action: 'cancel' })).toEqual({ action: 'cancel' });
  });
});
