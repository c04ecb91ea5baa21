import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage, ModelMessage, ToolMessage } from '../../models/model.ts';
import { checkHistory, missingResult, openingMessages, repairHistory } from './history.ts';

const user: ModelMessage = { role: 'user', content: 'hi' };

function asks(...ids: string[]): AssistantMessage {
  return {
    role: 'assistant',
    content: '',
    toolCalls: ids.map(id => ({ id, name: `tool-${id}`, arguments: '{}' })),
  };
}

function answers(id: string, content = `result ${id}`): ToolMessage {
  return { role: 'tool', toolCallId: id, toolName: `tool-${id}`, content };
}

describe('repairing a history', () => {
  it('leaves a sound one as it is, and never touches the list it is given', () => {
    const sound = Object.freeze([user, asks('a', 'b'), answers('a'), answers('b'), user]);
    expect(repairHistory(sound)).toEqual(sound);
  });
  it('answers unanswered calls right after their message, in the order of the calls', () => {
    expect(repairHistory([asks('a', 'b', 'c'), answers('b'), user])).toEqual([
      asks('a', 'b', 'c'),
      { ...answers('a', missingResult), isError: true },
      answers('b'),
      { ...answers('c', missingResult), isError: true },
      user,
    ]);
  });
  it('brings late answers to their place', () => {
    expect(repairHistory([asks('a'), user, answers('a')])).toEqual([asks('a'), answers('a'), user]);
  });
  it('drops answers without a call, and keeps the first of two', () => {
    expect(repairHistory([answers('x'), asks('a'), answers('a'), answers('a', 'second')])).toEqual([
      asks('a'),
      answers('a'),
    ]);
  });
  it('gives each of two calls that share an id an answer of its own', () => {
    const twice = [asks('a', 'a'), answers('a', 'one'), answers('a', 'two'), user];
    expect(repairHistory(twice)).toEqual(twice);
    const missing = { ...answers('a', missingResult), isError: true };
    expect(repairHistory(twice.slice(0, 2))).toEqual([asks('a', 'a'), answers('a', 'one'), missing]);
  });
  it('does not take the answer to a later call with the same id', () => {
    const repaired = repairHistory([asks('a'), asks('a'), answers('a')]);
    expect(repaired.map(message => message.content)).toEqual(['', missingResult, '', 'result a']);
  });
  it('leaves calls without an id, and their answers, untouched', () => {
    const odd = [asks(''), answers('')];
    expect(repairHistory(odd)).toEqual(odd);
  });
  it('changes nothing the second time', () => {
    const message = fc.oneof(
      fc.constant(user),
      fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 3 }).map(ids => asks(...ids)),
      fc.constantFrom('a', 'b', 'c', '').map(id => answers(id)),
    );
    void fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), history => {
        const once = repairHistory(history);
        expect(repairHistory(once)).toEqual(once);
      }),
    );
  });
});

describe('the opening of a run', () => {
  it('puts its own instructions in place of the system messages of the history', () => {
    const history: ModelMessage[] = [{ role: 'system', content: 'old' }, user];
    expect(openingMessages('new', history, undefined)).toEqual([{ role: 'system', content: 'new' }, user]);
    expect(openingMessages('', history, undefined)).toEqual(history);
  });
  it.each([
    ['no list', 'x', /list of messages/],
    ['null', [null], /history\[0\].*null/],
    ['blocks that are none', [{ role: 'user', content: [null] }], /history\[0\].*content blocks/],
    ['a role that does not exist', [user, { role: 'robot', content: '' }], /history\[1\].*"robot"/],
    ['content that is no text', [{ role: 'assistant', content: 3 }], /content must be text/],
    ['a tool message without its call', [{ role: 'tool', content: 'x' }], /toolCallId/],
    ['calls of no shape', [{ role: 'assistant', content: '', toolCalls: [{ id: 1 }] }], /toolCalls/],
  ])('refuses %s', (_, history, message) => {
    expect(() => checkHistory(history)).toThrow(message);
  });
});
