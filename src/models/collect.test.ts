import { describe, expect, it } from 'vitest';
import { collect, toAssistantMessage } from './collect.ts';
import type { Part } from './model.ts';

async function* stream(...parts: Part[]): AsyncGenerator<Part> {
  yield* parts;
}

describe('collecting parts', () => {
  it('joins text, reasoning and the arguments of calls that come interleaved', async () => {
    const response = await collect(
      stream(
        { type: 'reasoning', text: 'h' },
        { type: 'text', text: 'a' },
        { type: 'tool-call-start', index: 1, id: 'two', name: 'y' },
        { type: 'tool-call-start', index: 0, id: 'one', name: 'x' },
        { type: 'tool-call-delta', index: 1, arguments: '{"b"' },
        { type: 'tool-call-delta', index: 0, arguments: '{}' },
        { type: 'tool-call-delta', index: 1, arguments: ':1}' },
        { type: 'reasoning', text: 'm' },
        { type: 'text', text: 'b' },
        { type: 'note', code: 'c', message: 'm' },
        { type: 'usage', usage: { inputTokens: 1, outputTokens: 0, requests: 1 } },
        { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, requests: 2 } },
        { type: 'finish', reason: 'tool-calls' },
      ),
    );
    expect(response).toEqual({
      text: 'ab',
      reasoning: 'hm',
      toolCalls: [
        { id: 'one', name: 'x', arguments: '{}' },
        { id: 'two', name: 'y', arguments: '{"b":1}' },
      ],
      usage: { inputTokens: 1, outputTokens: 2, requests: 2 },
      finish: 'tool-calls',
      notes: [{ code: 'c', message: 'm' }],
    });
  });
  it('counts one request for a model that does not tell, and takes parts it does not know for nothing', async () => {
    const response = await collect(stream({ type: 'shiny' } as never, { type: 'text', text: 'a' }));
    expect(response).toMatchObject({
      text: 'a',
      finish: 'stop',
      usage: { inputTokens: 0, outputTokens: 0, requests: 1 },
    });
    expect(toAssistantMessage(response)).toEqual({ role: 'assistant', content: 'a' });
  });
});
