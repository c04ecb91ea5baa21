import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolMessage } from '../../models/model.ts';
import { image, text } from '../../tools/content.ts';
import { callRefs, findArtifact, readHandle } from './artifacts.ts';

function result(content: ToolMessage['content'], more: Partial<ToolMessage> = {}): ToolMessage {
  return { role: 'tool', toolCallId: 'call_1', toolName: 'rows', content, ...more };
}

describe('handles', () => {
  it('are read whatever the id of the call holds', () => {
    expect(readHandle('a#b@c\n#2@30')).toEqual({ toolCallId: 'a#b@c\n', index: 2, offset: 30 });
    expect(readHandle('a#2')).toEqual({ toolCallId: 'a', index: 2, offset: 0 });
    expect(readHandle('a#2@')).toBeUndefined();
    expect(readHandle('a#2@7+')).toEqual({ toolCallId: 'a', index: 2, offset: 7, onlyRest: true });
  });
  it('tell results apart whose calls have the same id, whatever the ids are', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'a~2', 'a~2~2', ''), { maxLength: 12 });
    void fc.assert(
      fc.property(ids, given => {
        const messages = given.map((toolCallId, n) => result(`result ${n}`, { toolCallId }));
        const refs = callRefs(messages);
        expect(new Set(refs.values()).size).toBe(given.length);
        for (const [n, message] of messages.entries()) {
          const handle = `${refs.get(message)}#0`;
          expect(findArtifact(messages, handle)).toEqual(text(`result ${n}`));
          expect(callRefs(messages.slice(0, n + 1)).get(message)).toBe(refs.get(message));
        }
      }),
    );
  });
  it('find for the host what a model was not shown, whole, also what is for the user alone', () => {
    const picture = image('AA==', 'image/png', { annotations: { audience: ['user'] } });
    const messages = [result('old'), result([text('a'), picture], { structuredContent: { n: 1 } })];
    expect(findArtifact(messages, 'call_1~2#1')).toBe(picture);
    expect(findArtifact(messages, 'call_1~2#2')).toEqual(text('{"n":1}'));
    expect(findArtifact(messages, 'call_1~2#0@1')).toEqual(text('a'));
    expect(findArtifact(messages, 'call_1#0')).toEqual(text('old'));
    expect(findArtifact([result('whole')], 'call_1#0')).toEqual(text('whole'));
    expect(findArtifact(messages, 'call_1#3')).toBeUndefined();
    expect(findArtifact(messages, 'call_9#0')).toBeUndefined();
    expect(findArtifact(messages, 'nonsense')).toBeUndefined();
  });
});
