import { describe, expect, it } from 'vitest';
import { scripted } from '../testing/scripted.ts';
import type { ToolContext } from '../tools/context.ts';
import { tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import type { ToolSource } from '../tools/tool-source.ts';
import { Agent } from './agent.ts';
import { isRunAbortedError, isRunError, type RunError } from './errors.ts';
import type { RunEvent } from './events.ts';
import { about, asks, failureOf } from './fixtures/delegation.ts';

const toolMessages = (messages: readonly { role: string }[]): unknown[] =>
  messages.filter(({ role }) => role === 'tool');

describe('an agent as a tool', () => {
  it('takes a prompt and answers with its text as it is', async () => {
    const expert = scripted(['it is an oak']);
    const boss = new Agent({
      model: scripted([asks('which tree?'), 'an oak']),
      tools: [new Agent({ model: expert, instructions: 'be exact' }).asTool(about)],
    });
    const { output, messages } = await boss.run('what stands there?');
    expect(output).toBe('an oak');
    expect(toolMessages(messages)).toEqual([
      { role: 'tool', toolCallId: 'call_1', toolName: 'ask_expert', content: 'it is an oak' },
    ]);
    expect(expert.requests[0]?.messages).toEqual([
      { role: 'system', content: 'be exact' },
      { role: 'user', content: 'which tree?' },
    ]);
  });

  it('answers with data as JSON, or as its own words', async () => {
    const output = {
      type: 'object',
      properties: { rings: { type: 'integer' } },
      required: ['rings'],
    } as const;
    const plain = new Agent({ model: scripted(['{"rings":7}'], { cycle: true }), output });
    const told = async (render?: (output: { rings: number }) => string) => {
      const tools = [plain.asTool({ ...about, ...(render && { render }) })];
      const { messages } = await new Agent({ model: scripted([asks('x'), 'ok']), tools }).run('go');
      return toolMessages(messages)[0];
    };
    expect(await told()).toMatchObject({ structuredContent: { rings: 7 } });
    expect(await told(({ rings }) => `${rings} rings`)).toMatchObject({ content: '7 rings' });
  });

  it('takes arguments of its own, and makes the prompt of them', async () => {
    const expert = scripted(['fine']);
    const input = { type: 'object', properties: { wood: { type: 'string' } }, required: ['wood'] } as const;
    const asTool = new Agent({ model: expert }).asTool({
      ...about,
      input,
      prompt: ({ wood }) => `Tell of ${wood}.`,
    });
    const model = scripted([{ toolCalls: [{ name: 'ask_expert', arguments: { wood: 'ash' } }] }, 'ok']);
    await new Agent({ model, tools: [asTool] }).run('go');
    expect(expert.requests[0]?.messages).toEqual([{ role: 'user', content: 'Tell of ash.' }]);
    const agent = new Agent({ model: expert });
    expect(() => agent.asTool({ ...about, input } as never)).toThrow('input and prompt go together');
    expect(() => agent.asTool({ ...about, maxDepth: 0 })).toThrow('maxDepth');
    expect(() => agent.asTool({ ...about, render: 'x' as never })).toThrow('render');
  });

  it.each([
    ['a blank prompt', ' ', 'prompt must not be blank'],
    ['no prompt', undefined, 'do not fit its schema'],
    ['a number', 7, 'do not fit its schema'],
  ])('lets the model mend %s', async (_what, prompt, why) => {
    const model = scripted([
      { toolCalls: [{ name: 'ask_expert', arguments: prompt === undefined ? {} : { prompt } }] },
      asks('now rightly'),
      'ok',
    ]);
    const tools = [new Agent({ model: scripted(['fine']) }).asTool(about)];
    const { output, messages } = await new Agent({ model, tools, tidyArguments: false }).run('go');
    expect(output).toBe('ok');
    expect(toolMessages(messages)[0]).toMatchObject({ content: expect.stringContaining(why), isError: true });
  });

  it('gives the run below what the run above was given', async () => {
    const seen: unknown[] = [];
    const look = tool({
      name: 'look',
      description: '',
      run: (_args, { deps }: ToolContext<{ readonly at: string }>) => {
        seen.push(deps.at);
        return 'seen';
      },
    });
    const expert = new Agent<{ readonly at: string }>({
      model: scripted([{ toolCalls: [{ name: 'look' }] }, 'fine']),
      tools: [look],
    });
    const model = scripted([asks('x'), 'ok']);
    const boss = new Agent<{ readonly at: string }>({ model, tools: [expert.asTool(about)] });
    await boss.run('go', { deps: { at: 'the hill' } });
    expect(seen).toEqual(['the hill']);
  });
});

describe('the failure of a run below', () => {
  it('ends the run above, and keeps its own stage and what it spent', async () => {
    const bad = scripted([{ text: 'not json', usage: { inputTokens: 3 } }]);
    const output = { type: 'object' } as const;
    const tools = [new Agent({ model: bad, output, outputRetries: 0 }).asTool(about)];
    const error = await failureOf(new Agent({ model: scripted([asks('x')]), tools }).run('go'));
    expect(error).toMatchObject({
      stage: 'tool',
      tool: 'ask_expert',
      usage: { inputTokens: 3, requests: 2 },
    });
    expect(error.cause).toMatchObject({ stage: 'decode', usage: { inputTokens: 3, requests: 1 } });
  });

  it('is never taken for a slip of the caller, whatever caused it', async () => {
    const slip = tool({
      name: 'slip',
      description: '',
      run: () => {
        throw new ToolError('mend this');
      },
    });
    const model = scripted([{ toolCalls: [{ name: 'slip' }] }]);
    const tools = [new Agent({ model, tools: [slip], toolRetries: 0 }).asTool(about)];
    const error = await failureOf(new Agent({ model: scripted([asks('x')]), tools }).run('go'));
    expect(error).toMatchObject({ stage: 'tool', tool: 'ask_expert', attempts: 1 });
    expect(error.cause).toMatchObject({ stage: 'tool', tool: 'slip' });
  });

  it('is something the model reads when every failure is', async () => {
    const tools = [new Agent({ model: scripted([new Error('gone')]) }).asTool(about)];
    const model = scripted([asks('x'), 'without it, then']);
    const { output, messages } = await new Agent({ model, tools, onToolFailure: 'observe' }).run('go');
    expect(output).toBe('without it, then');
    expect(toolMessages(messages)[0]).toMatchObject({
      isError: true,
      content: expect.stringContaining('gone'),
    });
  });
});

describe('cancelling', () => {
  it('reaches the run below, and the run above says that it was aborted', async () => {
    const controller = new AbortController();
    let inner: AbortSignal | undefined;
    const wait = tool({
      name: 'wait',
      description: '',
      run: (_args, { signal }) => {
        inner = signal;
        controller.abort(new Error('enough'));
        return new Promise<string>(() => {});
      },
    });
    const expert = new Agent({ model: scripted([{ toolCalls: [{ name: 'wait' }] }]), tools: [wait] });
    const boss = new Agent({ model: scripted([asks('x')]), tools: [expert.asTool(about)] });
    const error = await failureOf(boss.run('go', { signal: controller.signal }));
    expect(isRunAbortedError(error)).toBe(true);
    expect(error.cause).toEqual(new Error('enough'));
    expect(inner?.aborted).toBe(true);
  });

  it('by the time of the tool ends the run below', async () => {
    let inner: AbortSignal | undefined;
    const { manualClock } = await import('../basics/manual-clock.ts');
    const clock = manualClock();
    const wait = tool({
      name: 'wait',
      description: '',
      run: (_args, { signal }) => {
        inner = signal;
        queueMicrotask(() => clock.advance(50));
        return new Promise<string>(() => {});
      },
    });
    const expert = new Agent({ model: scripted([{ toolCalls: [{ name: 'wait' }] }]), tools: [wait] });
    const tools = [expert.asTool({ ...about, timeout: 50 })];
    const error = await failureOf(new Agent({ model: scripted([asks('x')]), tools, clock }).run('go'));
    expect(error.cause).toMatchObject({ name: 'TimeoutError', ms: 50 });
    expect(inner?.aborted).toBe(true);
  });
});

describe('what happens below', () => {
  it('is told above, with the call that it belongs to', async () => {
    const own: string[] = [];
    const expert = new Agent({ model: scripted(['fine']), onEvent: event => own.push(event.type) });
    const events: RunEvent[] = [];
    const boss = new Agent({ model: scripted([asks('x'), 'ok']), tools: [expert.asTool(about)] });
    await boss.run('go', { onEvent: event => void events.push(event) });
    const told = events.filter(event => event.type === 'delegated');
    expect(new Set(told.map(({ callId, tool: name, turn }) => `${callId} ${name} ${turn}`))).toEqual(
      new Set(['call_1 ask_expert 1']),
    );
    expect(told.map(({ event }) => event.type)).toEqual(own);
    expect(own).toEqual(['run-start', 'turn-start', 'model-start', 'text-delta', 'model-end', 'run-end']);
    const types = events.map(({ type }) => type);
    expect(types.indexOf('delegated')).toBeGreaterThan(types.indexOf('tool-start'));
    expect(types.lastIndexOf('delegated')).toBeLessThan(types.indexOf('tool-end'));
  });

  it('ends when agents would call each other for ever', async () => {
    let runs = 0;
    const source: ToolSource = { tools: async () => tools };
    const model = scripted(
      [
        () => {
          runs += 1;
          return asks('and you?') as object;
        },
      ],
      { cycle: true },
    );
    const agent = new Agent({ model, tools: source, maxTurns: 1 });
    const tools = [agent.asTool({ ...about, maxDepth: 3 })];
    const error = await failureOf(agent.run('go'));
    expect(runs).toBe(4);
    let deepest: unknown = error;
    while (isRunError(deepest) && deepest.cause !== undefined) deepest = deepest.cause;
    expect((deepest as RunError).messages.at(-1)).toMatchObject({
      role: 'tool',
      isError: true,
      content: expect.stringContaining('3 deep'),
    });
  });

  it('is of no concern to a server, which can offer the tool too', async () => {
    const { connect } = await import('../client/client.ts');
    const { Server } = await import('../server/server.ts');
    const tools = [new Agent({ model: scripted(['fine']) }).asTool(about)];
    await using client = await connect(new Server({ name: 's', version: '1', tools }));
    expect((await client.call('ask_expert', { prompt: 'x' })).content).toEqual([
      { type: 'text', text: 'fine' },
    ]);
  });
});
