import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../models/model.ts';
import { image, text } from '../../tools/content.ts';
import { loadHistory, saveHistory } from './saved-history.ts';

const messages: ModelMessage[] = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: [text('what is it?'), image('AA==', 'image/png')] },
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: '1', name: 'look', arguments: '{ "a" :1}' }],
    reasoning: 'hm',
    replay: { provider: 'x', items: [{ signature: 'abc' }] },
  },
  {
    role: 'tool',
    toolCallId: '1',
    toolName: 'look',
    content: 'a cat',
    structuredContent: { n: 1 },
    isError: true,
  },
];

describe('a saved history', () => {
  it('says its version and comes back as it was', () => {
    const saved = saveHistory(messages);
    expect(JSON.parse(saved)).toMatchObject({ version: 1 });
    expect(loadHistory(saved)).toEqual(messages);
    expect(loadHistory(JSON.parse(saved))).toEqual(messages);
  });
  it('keeps members and kinds of content that this version does not know', () => {
    const odd = [
      { role: 'user', content: [{ type: 'hologram', rays: 3 }], later: { a: 1 } },
    ] as unknown as ModelMessage[];
    expect(loadHistory(saveHistory(odd))).toEqual(odd);
    const written = { version: 1, messages: odd, also: true };
    expect(loadHistory(written)).toEqual(odd);
  });
  it('may be a bare list of messages', () => {
    expect(loadHistory(JSON.stringify(messages))).toEqual(messages);
    expect(loadHistory(messages)).toEqual(messages);
  });
  it('of a newer version is refused, with both versions', () => {
    expect(() => loadHistory({ version: 2, messages })).toThrow(/is of version 2.*up to version 1/);
  });
  it.each([
    ['text that is not JSON', '{"version":1,', /not valid JSON/],
    ['JSON without a version', '{"messages":[]}', /has no version/],
    ['a version that is none', { version: 'x', messages: [] }, /has no version/],
    ['a version without messages', { version: 1 }, /list of messages/],
    ['null', null, /has no version/],
    ['what is no message', [{ role: 'robot', content: '' }], /history\[0\].*"robot"/],
  ])('that is %s is refused', (_, saved, message) => {
    expect(() => loadHistory(saved)).toThrow(message);
  });
  it('that JSON cannot carry is refused before it is written', () => {
    const odd = [
      { role: 'tool', toolCallId: '1', toolName: 'x', content: 'a', structuredContent: 1n },
    ] as const;
    expect(() => saveHistory(odd)).toThrow(/cannot be written as JSON/);
    expect(() => saveHistory('x' as never)).toThrow(/list of messages/);
  });
  it('never throws anything but an error of ours, whatever it is given', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.jsonValue()), saved => {
        try {
          loadHistory(saved);
        } catch (error) {
          expect((error as Error).message).toMatch(/history/);
        }
      }),
    );
  });
});
