import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { scripted } from '../testing/scripted.ts';
import { image, text } from '../tools/content.ts';
import type { ToolContext } from '../tools/context.ts';
import { tool } from '../tools/tool.ts';
import { Agent } from './agent.ts';
import { isRunError } from './errors.ts';

const echo = tool({
  name: 'echo',
  description: 'Says it again.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: args => args.text,
});

/** What a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}

describe('an agent is refused at construction when', () => {
  const model = scripted([]);
  it.each([
    ['there is no model', {}, /model must be a model/],
    ['the model cannot respond', { model: { name: 'x' } }, /model must be a model/],
    ['there are no turns', { model, maxTurns: 0 }, /maxTurns.*at least 1, got 0/],
    ['output retries are negative', { model, outputRetries: -1 }, /outputRetries/],
    ['tool retries are negative', { model, toolRetries: -1 }, /toolRetries/],
    ['the tool timeout is negative', { model, toolTimeout: -5 }, /toolTimeout/],
    ['nothing may run at once', { model, parallel: 0 }, /parallel/],
    ['the temperature is no number', { model, temperature: Number.NaN }, /temperature/],
    ['the token limit is no whole number', { model, maxTokens: 1.5 }, /maxTokens/],
    ['observations have no room', { model, maxObservation: 0 }, /maxObservation/],
    ['no call is allowed', { model, maxCallsPerTurn: 0 }, /maxCallsPerTurn/],
    ['a limit is negative', { model, limits: { requests: -1 } }, /limits\.requests/],
    ['a limit does not exist', { model, limits: { turns: 3 } }, /limits\.turns.*maxTurns/],
    ['results have no room', { model, maxResultTokens: 100 }, /maxResultTokens.*at least 256/],
    ['tidying is no yes or no', { model, tidyArguments: 'no' }, /tidyArguments must be true or false/],
    ['the policy does not exist', { model, onToolFailure: 'ignore' }, /onToolFailure.*"ignore"|ignore/],
    ['the instructions are no text', { model, instructions: 3 }, /instructions/],
    ['the observer is no function', { model, onEvent: 'x' }, /onEvent/],
    ['the tools are no list', { model, tools: {} }, /tools must be a list/],
    ['a tool has no name', { model, tools: [{ ...echo, name: '' }] }, /tools\[0\] has no name/],
    ['a tool cannot run', { model, tools: [{ ...echo, run: 3 }] }, /"echo" has no run/],
    ['two tools share a name', { model, tools: [echo, echo] }, /two tools are named "echo"/],
    ["a tool's schema is broken", { model, tools: [{ ...echo, input: { type: 'text' } }] }, /"echo": input/],
    ["a tool's budget is negative", { model, tools: [{ ...echo, retries: -1 }] }, /"echo": retries/],
    ['the output schema is broken', { model, output: { type: 5 } }, /output is not a usable schema/],
    ['the chosen tool is not there', { model, tools: [echo], toolChoice: 'other' }, /toolChoice "other"/],
  ])('%s', (_, options, message) => {
    expect(() => new Agent(options as never)).toThrow(message);
  });
});

describe('a run', () => {
  it('gives the answer, the whole conversation in order, and what it used', async () => {
    const model = scripted([
      {
        text: 'let me see',
        toolCalls: [{ name: 'echo', arguments: { text: 'hi' } }],
        usage: { inputTokens: 3, outputTokens: 2 },
      },
      { text: 'it said hi', usage: { inputTokens: 5, outputTokens: 1 } },
    ]);
    const agent = new Agent({ model, instructions: 'be brief', tools: [echo] });
    const result = await agent.run('say hi');
    expect(result.output).toBe('it said hi');
    expect(result.usage).toEqual({ inputTokens: 8, outputTokens: 3, requests: 2 });
    expect(result.counts).toMatchObject({ turns: 2, toolCalls: 1, rejectedCalls: 0 });
    expect(result.messages).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'say hi' },
      {
        role: 'assistant',
        content: 'let me see',
        toolCalls: [{ id: 'call_1', name: 'echo', arguments: '{"text":"hi"}' }],
      },
      { role: 'tool', toolCallId: 'call_1', toolName: 'echo', content: 'hi' },
      { role: 'assistant', content: 'it said hi' },
    ]);
    expect(model.requests[1]?.messages).toEqual(result.messages.slice(0, 4));
    expect(JSON.parse(JSON.stringify(result.messages))).toEqual(result.messages);
  });

  it('adds up cached and reasoning tokens where the provider tells them', async () => {
    const model = scripted([
      {
        toolCalls: [{ name: 'echo', arguments: { text: 'hi' } }],
        usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 8, reasoningTokens: 3 },
      },
      { text: 'done', usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 1 } },
    ]);
    const { usage } = await new Agent({ model, tools: [echo] }).run('say hi');
    expect(usage).toMatchObject({ inputTokens: 18, cachedInputTokens: 9, reasoningTokens: 3 });
  });

  it('shows the model its tools, and sends settings only when they are set', async () => {
    const model = scripted(['a', 'b']);
    await new Agent({ model, tools: [echo] }).run('x');
    expect(model.requests[0]).toEqual({
      messages: [{ role: 'user', content: 'x' }],
      tools: [{ name: 'echo', description: 'Says it again.', parameters: echo.input }],
    });
    await new Agent({ model, temperature: 0, maxTokens: 5 }).run('x');
    expect(model.requests[1]).toEqual({
      messages: [{ role: 'user', content: 'x' }],
      temperature: 0,
      maxTokens: 5,
    });
  });

  it('offers only the chosen tool', async () => {
    const other = tool({ name: 'other', description: '', run: () => 'x' });
    const model = scripted([{ toolCalls: [{ name: 'other' }] }, 'done']);
    const result = await new Agent({ model, tools: [echo, other], toolChoice: 'echo' }).run('x');
    expect(model.requests[0]?.tools?.map(spec => spec.name)).toEqual(['echo']);
    expect(result.messages[2]?.content).toBe('There is no tool named "other"; use one of: echo');
  });

  it('hands the dependencies to instructions and tools unchanged, run by run', async () => {
    const seen: unknown[] = [];
    const look = tool({
      name: 'look',
      description: '',
      run: (_, ctx: ToolContext<{ who: string }>) => {
        seen.push(ctx.deps);
        return ctx.deps.who;
      },
    });
    const model = scripted(
      [({ messages }) => (messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'look' }] })],
      { cycle: true },
    );
    const agent = new Agent({
      model,
      tools: [look],
      instructions: ['fixed', ({ deps }) => `for ${deps.who}`, () => ''],
    });
    const first = { who: 'ada' };
    const second = { who: 'bob' };
    await Promise.all([agent.run('x', { deps: first }), agent.run('y', { deps: second })]);
    expect(seen).toEqual([first, second]);
    expect(seen[0]).toBe(first);
    expect(model.requests.map(request => request.messages[0]?.content).sort()).toEqual([
      'fixed\n\nfor ada',
      'fixed\n\nfor ada',
      'fixed\n\nfor bob',
      'fixed\n\nfor bob',
    ]);
  });

  it('fails as a run when an instruction function throws, before the model is asked', async () => {
    const model = scripted([]);
    const cause = new Error('no locale');
    const instructions = (): string => {
      throw cause;
    };
    const error = await new Agent({ model, instructions }).run('x').catch((thrown: unknown) => thrown);
    expect(isRunError(error)).toBe(true);
    expect(error).toMatchObject({ stage: 'loop', cause, messages: [{ role: 'user', content: 'x' }] });
    expect(error).toMatchObject({ message: 'the instructions could not be made: no locale' });
    expect(model.requests).toHaveLength(0);
  });

  it('asks an instruction function once, not again for a correction', async () => {
    let asked = 0;
    const model = scripted(['no json', '1']);
    const instructions = (): string => `version ${++asked}`;
    const agent = new Agent({ model, instructions, output: { type: 'integer' } });
    expect((await agent.run('x')).output).toBe(1);
    expect(asked).toBe(1);
    expect(model.requests[1]?.messages[0]).toEqual({ role: 'system', content: 'version 1' });
  });

  it('goes on from a history, which it repairs and does not touch', async () => {
    const history: ModelMessage[] = Object.freeze([
      { role: 'system', content: 'old' },
      { role: 'user', content: 'a' },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'echo', arguments: '{}' }] },
    ]) as never;
    const model = scripted(['ok']);
    const { messages } = await new Agent({ model, instructions: 'new' }).run('b', { history });
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ]);
    expect(messages[0]?.content).toBe('new');
    expect(history).toHaveLength(3);
  });

  it('takes a history alone, and content blocks as a prompt', async () => {
    const model = scripted(['a', 'b']);
    const agent = new Agent({ model });
    const { messages } = await agent.run(undefined, { history: [{ role: 'user', content: 'x' }] });
    expect(messages).toHaveLength(2);
    const picture = image('AA==', 'image/png');
    await agent.run([text('what is it?'), picture]);
    expect(model.requests[1]?.messages).toEqual([{ role: 'user', content: [text('what is it?'), picture] }]);
  });

  it.each([
    ['a blank prompt', ' ', {}, /blank/],
    ['a prompt of no shape', 5, {}, /text or a list of content/],
    ['blocks that are none', [{ kind: 'x' }], {}, /text or a list of content/],
    ['no prompt and no history', undefined, {}, /no history/],
    ['a broken history', 'x', { history: [{ role: 'robot' }] }, /history\[0\]/],
  ])('refuses %s before any model call, without a stage', async (_, prompt, options, message) => {
    const model = scripted([]);
    const error = await rejection(new Agent({ model }).run(prompt as never, options as never));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
    expect(isRunError(error)).toBe(false);
    expect(model.requests).toHaveLength(0);
  });

  it('fails at stage model with the cause and what was used, when the model fails', async () => {
    const cause = new ModelError('too many requests', {
      kind: 'rate-limit',
      provider: 'x',
      usage: { inputTokens: 0, outputTokens: 0, requests: 3 },
    });
    const model = scripted([{ toolCalls: [{ name: 'echo', arguments: { text: 'a' } }] }, cause]);
    const error = await rejection(new Agent({ model, tools: [echo] }).run('x'));
    expect(error).toMatchObject({ name: 'RunError', stage: 'model', usage: { requests: 4 } });
    expect((error as Error).cause).toBe(cause);
    expect((error as Error).message).toContain('turn 2');
    expect((error as { messages: unknown[] }).messages).toHaveLength(3);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ stage: 'model', messages: 3 });
  });

  it('fails at stage model when the model declines', async () => {
    const model = scripted([{ text: 'I will not', finish: 'refusal' }]);
    const error = await rejection(new Agent({ model }).run('x'));
    expect(error).toMatchObject({ stage: 'model', cause: { kind: 'refused' } });
    expect((error as Error).message).toContain('I will not');
  });

  it('fails at stage loop when its turns are used up, its calls answered', async () => {
    const model = scripted([{ toolCalls: [{ name: 'echo', arguments: { text: 'a' } }] }], { cycle: true });
    const error = await rejection(new Agent({ model, tools: [echo], maxTurns: 3 }).run('x'));
    expect(error).toMatchObject({ stage: 'loop', counts: { turns: 3, toolCalls: 3 } });
    expect(model.requests).toHaveLength(3);
    expect((error as { messages: ModelMessage[] }).messages.at(-1)).toMatchObject({
      role: 'tool',
      content: 'a',
    });
  });

  it('allows ten turns unless told otherwise', async () => {
    const model = scripted([{ toolCalls: [{ name: 'echo', arguments: { text: 'a' } }] }], { cycle: true });
    await rejection(new Agent({ model, tools: [echo] }).run('x'));
    expect(model.requests).toHaveLength(10);
  });

  it('notes a response that ended at the token limit', async () => {
    const events: string[] = [];
    const model = scripted([{ text: 'half of', finish: 'length' }]);
    const agent = new Agent({ model, onEvent: event => event.type === 'note' && events.push(event.code) });
    const result = await agent.run('x');
    expect(result.counts.truncatedResponses).toBe(1);
    expect(events).toEqual(['response-truncated']);
  });

  it('keeps the notes of the model', async () => {
    const note = { code: 'dropped', message: 'it was dropped' };
    const result = await new Agent({ model: scripted([{ text: 'a', notes: [note] }]) }).run('x');
    expect(result.notes).toEqual([note]);
  });

  it('gives calls without an id, or with the same, ids of their own', async () => {
    const calls = ['', 'same', 'same'].map(id => ({ id, name: 'echo', arguments: { text: 'a' } }));
    const model = scripted([{ toolCalls: calls }, 'done']);
    const { messages } = await new Agent({ model, tools: [echo] }).run('x');
    const ids = messages.flatMap(message => (message.role === 'tool' ? [message.toolCallId] : []));
    expect(new Set(ids).size).toBe(3);
    expect(ids[1]).toBe('same');
  });
});
