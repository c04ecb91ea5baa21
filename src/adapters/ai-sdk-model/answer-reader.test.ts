import { describe, expect, it } from 'vitest';
import type { Part } from '../../models/model.ts';
import { AnswerReader } from './answer-reader.ts';
import { finish } from './fixtures/language-model.ts';

function read(parts: readonly unknown[]): Part[] {
  const reader = new AnswerReader('ai-sdk/x', alias => alias.replace('_', '.'));
  return [...parts.flatMap(part => [...reader.read(part)]), ...reader.end()];
}

const replayOf = (parts: readonly Part[]): unknown =>
  parts.find(part => part.type === 'replay')?.replay.items;

describe('reading an answer', () => {
  it('streams the input of calls once, several at a time', () => {
    const parts = read([
      { type: 'tool-input-start', id: 'c1', toolName: 'a_b' },
      { type: 'tool-input-start', id: 'c2', toolName: 'c' },
      { type: 'tool-input-delta', id: 'c2', delta: '{"x"' },
      { type: 'tool-input-delta', id: 'c1', delta: '{}' },
      { type: 'tool-input-delta', id: 'c2', delta: ':1}' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'a_b', input: '{}' },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'c', input: '{"x":1}' },
      { type: 'tool-call', toolCallId: 'c3', toolName: 'd', input: '{"y":2}' },
      finish('tool-calls'),
    ]);
    expect(parts).toEqual([
      { type: 'tool-call-start', index: 0, id: 'c1', name: 'a.b' },
      { type: 'tool-call-start', index: 1, id: 'c2', name: 'c' },
      { type: 'tool-call-delta', index: 1, arguments: '{"x"' },
      { type: 'tool-call-delta', index: 0, arguments: '{}' },
      { type: 'tool-call-delta', index: 1, arguments: ':1}' },
      { type: 'tool-call-start', index: 2, id: 'c3', name: 'd' },
      { type: 'tool-call-delta', index: 2, arguments: '{"y":2}' },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('keeps the turn as it was where text and calls alone would not do', () => {
    const metadata = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'x' } };
    const parts = read([
      { type: 'reasoning-start', id: '0', providerMetadata: { openai: { itemId: 'rs_1' } } },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-end', id: '0', providerMetadata: metadata },
      { type: 'text-delta', id: '0', delta: 'Hel' },
      { type: 'text-delta', id: '0', delta: 'lo' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'a_b', input: '{"x":1}', providerMetadata: metadata },
      finish(),
    ]);
    expect(replayOf(parts)).toEqual([
      { type: 'reasoning', text: 'hm', providerOptions: metadata },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'a_b', input: { x: 1 }, providerOptions: metadata },
    ]);
    expect(replayOf(read([{ type: 'text-delta', id: '0', delta: 'x' }, finish()]))).toBeUndefined();
  });

  it('keeps what the provider ran itself out of the calls, and in the turn', () => {
    const parts = read([
      { type: 'tool-input-start', id: 's1', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 's1', delta: '{}' },
      { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 's1', toolName: 'search', result: { hits: 1 } },
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
      { type: 'source', sourceType: 'url', id: 'x', url: 'https://example.com' },
      finish(),
    ]);
    expect(parts.map(({ type }) => type)).toEqual(['note', 'replay', 'finish']);
    expect(replayOf(parts)).toEqual([
      { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: {}, providerExecuted: true },
      {
        type: 'tool-result',
        toolCallId: 's1',
        toolName: 'search',
        output: { type: 'json', value: { hits: 1 } },
      },
      { type: 'file', mediaType: 'image/png', data: 'AQID' },
    ]);
    expect(() => JSON.stringify(parts)).not.toThrow();
  });

  it.each([
    ['stop', 'stop', true],
    ['length', 'length', true],
    ['content-filter', 'refusal', true],
    ['unknown', 'other', false],
    [{ unified: 'other', raw: undefined }, 'other', false],
    [{ unified: 'other', raw: 'pause_turn' }, 'other', true],
    [{ unified: 'interrupted', raw: undefined }, 'other', false],
    [undefined, 'other', false],
  ])('tells why it ended: %j', (finishReason, reason, finished) => {
    const reader = new AnswerReader('ai-sdk/x', alias => alias);
    expect([...reader.read({ type: 'finish', finishReason, usage: {} })]).toEqual([]);
    expect(reader.finished).toBe(finished);
    expect([...reader.end()]).toEqual([{ type: 'finish', reason }]);
  });

  it.each([
    [
      { inputTokens: 3, outputTokens: 2, totalTokens: 5, cachedInputTokens: 1 },
      { inputTokens: 3, outputTokens: 2, cachedInputTokens: 1 },
    ],
    [
      { inputTokens: undefined, outputTokens: -1, reasoningTokens: Number.NaN },
      { inputTokens: 0, outputTokens: 0 },
    ],
    [undefined, { inputTokens: 0, outputTokens: 0 }],
  ])('counts what is countable: %j', (usage, expected) => {
    const reader = new AnswerReader('ai-sdk/x', alias => alias);
    expect([...reader.read({ type: 'finish', finishReason: 'stop', usage })]).toEqual([]);
    expect(reader.usage).toEqual(expected);
  });

  it('passes over kinds that it does not know, and refuses what makes no sense', () => {
    expect(read([{ type: 'hologram' }, { type: 'raw', rawValue: 1 }, finish()])).toHaveLength(1);
    expect(() => read([7])).toThrow('makes no sense: a part is not an object');
    expect(() => read([{ type: 'tool-call', toolCallId: 3 }])).toThrow('a tool call has no id or name');
    const reader = new AnswerReader('ai-sdk/x', alias => alias);
    expect(() => [...reader.readWhole({})]).toThrow('it has no content');
  });
});
