import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../rpc/protocol-error.ts';
import { readElicitAnswer, readElicited, readRoots, readSampleAnswer } from './answers.ts';

describe('an answer of the client', () => {
  it.each(['accept', 'decline', 'cancel'])('with the action %s is taken as it is', action => {
    const answer = { action, content: { a: 1 } };
    expect(readElicited('k', answer)).toBe(answer);
  });

  it.each([[undefined], [null], ['accept'], [{}], [{ action: 'maybe' }], [[]]])(
    'to a form is refused when it is %j',
    answer => {
      expect(() => readElicited('k', answer)).toThrow(ProtocolError);
      expect(() => readElicited('k', answer)).toThrow('the client\'s answer to "k" cannot be used: action');
    },
  );

  const requestedSchema = {
    type: 'object',
    properties: { tea: { type: 'string', enum: ['green', 'black'] }, cups: { type: 'integer', minimum: 1 } },
    required: ['tea'],
  };
  const form = { message: 'Tea?', requestedSchema };

  it('that accepts a form must fit the form', async () => {
    const fits = { action: 'accept', content: { tea: 'green', cups: 2 } };
    expect(await readElicitAnswer('k', fits, form)).toBe(fits);
    for (const content of [undefined, {}, { tea: 'red' }, { tea: 'green', cups: 0 }]) {
      await expect(readElicitAnswer('k', { action: 'accept', content }, form)).rejects.toThrow(
        'the client\'s answer to "k" cannot be used: ',
      );
    }
  });

  it('that declines, or agrees to visit a page, needs nothing in it', async () => {
    const declined = { action: 'decline' };
    expect(await readElicitAnswer('k', declined, form)).toBe(declined);
    const agreed = { action: 'accept' };
    const page = { mode: 'url', message: 'Log in', url: 'https://example.com' } as const;
    expect(await readElicitAnswer('k', agreed, page)).toBe(agreed);
  });

  it.each([[undefined], [{ role: 'assistant' }], [{ content: {} }], [{ role: 'assistant', content: 'x' }]])(
    'of its model is refused when it is %j',
    answer => {
      expect(() => readSampleAnswer('k', answer)).toThrow('a sampled message must have a role and content');
    },
  );

  it('of its model may hold one block or several', () => {
    for (const content of [{ type: 'text', text: 'x' }, [{ type: 'text', text: 'x' }]]) {
      const answer = { role: 'assistant', content, model: 'm' };
      expect(readSampleAnswer('k', answer)).toBe(answer);
    }
  });

  it('with folders loses those that have no address', () => {
    const roots = [{ uri: 'file:///a' }, null, { name: 'x' }, { uri: 7 }, { uri: 'file:///b', name: 'b' }];
    expect(readRoots('k', { roots })).toEqual([{ uri: 'file:///a' }, { uri: 'file:///b', name: 'b' }]);
    expect(() => readRoots('k', {})).toThrow('roots must be an array, got nothing');
  });
});
