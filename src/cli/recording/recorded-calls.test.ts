import { describe, expect, it } from 'vitest';
import { servePatterns } from '../../bridge/serving/serve-patterns.ts';
import { connect } from '../../client/client.ts';
import { Server } from '../../server/server.ts';
import { scripted } from '../../testing/scripted.ts';
import { needInput } from '../../tools/need-input.ts';
import { type AnyTool, type Tool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { recordCalls } from './recorded-calls.ts';

type Event = Readonly<Record<string, unknown>>;

/** A client of these tools, each call of which is recorded. */
async function serve(make: (record: ReturnType<typeof recordCalls>) => readonly AnyTool[], answers?: object) {
  const events: Event[] = [];
  const calls = recordCalls({ event: event => void events.push(event as Event) });
  const tools = make(calls).map(each => calls.tool(each as Tool));
  const server: Server = new Server({ name: 's', version: '1', tools });
  const client = await connect(server, answers);
  return { client, events };
}

describe('the calls of served tools, when they are recorded', () => {
  it('have a number, what they were asked and what came of them', async () => {
    const input = { type: 'object', properties: { dish: { type: 'string' } } } as const;
    const order = tool({ name: 'order', description: '', input, run: ({ dish }) => `ordered ${dish}` });
    const { client, events } = await serve(() => [order]);
    await client.call('order', { dish: 'soup' });
    await client.call('order', { dish: 'tea' });
    expect(events).toEqual([
      { type: 'call-start', call: 1, tool: 'order', arguments: { dish: 'soup' }, resumed: false },
      { type: 'call-end', call: 1, isError: false, result: 'ordered soup' },
      { type: 'call-start', call: 2, tool: 'order', arguments: { dish: 'tea' }, resumed: false },
      { type: 'call-end', call: 2, isError: false, result: 'ordered tea' },
    ]);
    await client.close();
  });

  it('fail as the tool did, by a result or by what it throws', async () => {
    const gone = new ToolError('out of stock');
    const { client, events } = await serve(() => [
      tool({ name: 'say', description: '', run: () => ({ content: [], isError: true }) }),
      tool({
        name: 'throw',
        description: '',
        run: () => {
          throw gone;
        },
      }),
    ]);
    await client.call('say', {});
    expect((await client.call('throw', {})).isError).toBe(true);
    expect(events.filter(({ type }) => type === 'call-end')).toEqual([
      { type: 'call-end', call: 1, isError: true, result: { content: [], isError: true } },
      { type: 'call-end', call: 2, isError: true, error: gone },
    ]);
    await client.close();
  });

  it('say what they ask, and that they go on after it', async () => {
    const requestedSchema = { type: 'object', properties: {} } as const;
    const ask = tool({
      name: 'ask',
      description: '',
      run: (_args, ctx) =>
        ctx.memo === undefined
          ? needInput({ sure: { elicit: { message: '?', requestedSchema } } }, 1)
          : 'done',
    });
    const { client, events } = await serve(() => [ask], {
      onElicit: () => ({ action: 'accept', content: {} }),
    });
    await client.call('ask', {});
    expect(events).toMatchObject([
      { type: 'call-start', call: 1, resumed: false },
      { type: 'call-end', call: 1, asks: ['sure'] },
      { type: 'call-start', call: 2, resumed: true },
      { type: 'call-end', call: 2, result: 'done' },
    ]);
    await client.close();
  });

  it('hold what happens in a pattern, with its content, its budget and why it failed', async () => {
    const model = scripted([
      {
        toolCalls: [{ name: 'echo', arguments: { text: 'hello' } }],
        usage: { inputTokens: 7, outputTokens: 2 },
      },
    ]);
    const { client, events } = await serve(({ observe }) =>
      servePatterns({ model, observe, callBudget: { calls: 1 }, patterns: ['react_loop'] }),
    );
    await client.call('react_loop', { prompt: 'say hello' });
    const inside = events.filter(({ type }) => type === 'call-event');
    expect(new Set(inside.map(({ call }) => call))).toEqual(new Set([1]));
    expect(inside.map(({ event }) => event)).toMatchObject([
      { type: 'budget', call: { calls: 1 } },
      { type: 'llm-start', call: 1 },
      { type: 'llm-end', call: 1, inputTokens: 7, outputTokens: 2 },
      { type: 'tool-start', name: 'echo', arguments: { text: 'hello' } },
      { type: 'tool-end', name: 'echo', result: expect.stringContaining('hello') },
      // The budget refuses before a second request begins.
      {
        type: 'failure',
        error: expect.objectContaining({ kind: 'budget', message: expect.stringContaining('1 of 1 calls') }),
      },
    ]);
    await client.close();
  });

  it('tell those apart that run at the same time', async () => {
    const model = scripted(Array.from({ length: 6 }, () => '42'));
    const { client, events } = await serve(({ observe }) => servePatterns({ model, observe }));
    await Promise.all([1, 2].map(() => client.call('consensus', { prompt: 'six times seven?' })));
    for (const call of [1, 2]) {
      const own = events.filter(event => event['call'] === call && event['type'] === 'call-event');
      const types = own.map(({ event }) => (event as Event)['type']);
      expect(types.filter(type => type === 'llm-end')).toHaveLength(3);
    }
    await client.close();
  });
});
