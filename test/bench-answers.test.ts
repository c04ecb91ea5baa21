import { describe, expect, it } from 'vitest';
import { answerReader, inFlight, lists, sameText, says } from '../bench/answers.mjs';
import { text } from '../bench/messages.mjs';

const content = [{ type: 'text', text }];
const print = (id: unknown, result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });
const right = says(text);

describe('the answers of a measured server', () => {
  it('are right with the text at its place, whoever waits for them, in any order', async () => {
    const calls = inFlight();
    const all = [1, 2, 3].map(id => calls.of(id, right));
    for (const id of [2, 1, 3]) calls.take(print(id, { content }));
    await expect(Promise.all(all)).resolves.toHaveLength(3);
  });

  const wrong: Record<string, [unknown, string]> = {
    'a failed tool that quotes the text': [{ content, isError: true }, 'the tool failed'],
    'a refusal that quotes the text': [
      { content: [{ type: 'text', text: `no: ${text}` }] },
      'its text is not the one sent',
    ],
    'more than the text': [{ content: [...content, ...content] }, 'its text is not the one sent'],
    'the text elsewhere': [{ structuredContent: content }, 'its text is not the one sent'],
    'no result': [undefined, 'it has no result'],
  };
  it.each(Object.entries(wrong))(
    'are wrong with %s, also behind a right one',
    async (_what, [result, why]) => {
      const calls = inFlight();
      const first = calls.of(1, right);
      calls.take(print(1, { content }));
      await first;
      const second = calls.of(2, right);
      calls.take(print(2, result));
      await expect(second).rejects.toThrow(why);
    },
  );

  it.each([1, 3, '2', 2.5, null])('are wrong with the id %s where 2 waits and 1 was answered', async id => {
    const calls = inFlight();
    const first = calls.of(1, right);
    calls.take(print(1, { content }));
    await first;
    const second = calls.of(2, right);
    calls.take(print(id, { content }));
    await expect(second).rejects.toThrow('its id is that of no call');
  });

  it('fail the next call when one came twice while nobody waited', async () => {
    const calls = inFlight();
    const first = calls.of(1, right);
    calls.take(print(1, { content }));
    calls.take(print(1, { content }));
    await first;
    await expect(calls.of(2, right)).rejects.toThrow('its id is that of no call');
  });

  it('are told from what a server asks and notifies by itself', () => {
    const read = answerReader();
    const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(read(asked, () => right)).toBeUndefined();
  });

  it('are judged by what was asked, however alike they look', () => {
    const read = answerReader();
    const list = print(1, { tools: [{ name: 'echo' }] });
    expect(read(list, () => lists(1))).toBe(1);
    expect(() => read(list.replace('"id":1', '"id":2'), () => lists(2))).toThrow('it lists 1 tools, not 2');
  });

  it('are told by their own id, not by one within their result', () => {
    const read = answerReader();
    const inner = (id: number): string =>
      `{"jsonrpc":"2.0","result":{"id":${id},"content":${JSON.stringify(content)}},"id":7}`;
    expect(read(inner(8), () => right)).toBe(7);
    expect(read(inner(9), () => right)).toBe(7);
  });
});

describe('the answers of a tool in an agent', () => {
  it.each([[{ content }], [content], [content[0]], [JSON.stringify(content[0])]])('are right: %j', got => {
    const isRight = sameText();
    expect([isRight(got), isRight(got)]).toEqual([true, true]);
  });
  it.each([[{ content, isError: true }], [`failed: ${text}`], [text], [{ content: [] }], [undefined]])(
    'are wrong: %j',
    got => {
      expect(sameText()(got)).toBe(false);
    },
  );
});
