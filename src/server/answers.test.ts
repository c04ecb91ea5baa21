import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../rpc/protocol-error.ts';
import { readElicitAnswer, readRoots, readSampleAnswer } from './answers.ts';

describe('an answer of the client', () => {
  it.each(['accept', 'decline', 'cancel'])('with the action %s is taken as it is', action => {
    const answer = { action, content: { a: 1 } };
    expect(readElicitAnswer('k', answer)).toBe(answer);
  });

  it.each([[undefined], [null], ['accept'], [{}], [{ action: 'maybe' }], [[]]])(
    'to a form is refused when it is %j',
    answer => {
      expect(() => readElicitAnswer('k', answer)).toThrow(ProtocolError);
      expect(() => readElicitAnswer('k', answer)).toThrow(
        'the client\'s answer to "k" cannot be used: action',
      );
    },
  );

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
