import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../models/model.ts';
import { scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { ToolError } from '../tools/tool-error.ts';
import { Agent } from './agent.ts';
import { isRunAbortedError } from './errors.ts';
import type { RunEvent } from './events.ts';

const echo = tool({
  name: 'echo',
  description: '',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: (args, ctx) => {
    ctx.progress(1, { total: 2, message: 'half' });
    ctx.log('info', { seen: args.text });
    return args.text;
  },
});

function script(options: { pieces?: number } = {}): ReturnType<typeof scripted> {
  return scripted(
    [
      { reasoning: 'hm', toolCalls: [{ name: 'echo', arguments: { text: 'a' } }, { name: 'nope' }] },
      { text: 'all done', notes: [{ code: 'c', message: 'm' }] },
    ],
    options,
  );
}

async function read(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('a streamed run', () => {
  it('tells what happens in order, and gives the result that run gives', async () => {
    const stream = new Agent({ model: script({ pieces: 4 }), tools: [echo] }).stream('x');
    const events = await read(stream);
    const call = { turn: 1, callId: 'call_1', tool: 'echo' };
    const other = { turn: 1, callId: 'call_2', tool: 'nope' };
    expect(events).toMatchObject([
      { type: 'run-start' },
      { type: 'turn-start', turn: 1 },
      { type: 'model-start', turn: 1, model: 'scripted' },
      { type: 'reasoning-delta', turn: 1, text: 'hm' },
      { type: 'tool-input-delta', ...call, arguments: '' },
      { type: 'tool-input-delta', ...call, arguments: '{"te' },
      { type: 'tool-input-delta', ...call, arguments: 'xt":' },
      { type: 'tool-input-delta', ...call, arguments: '"a"}' },
      { type: 'tool-input-delta', ...other, arguments: '' },
      { type: 'tool-input-delta', ...other, arguments: '{}' },
      { type: 'model-end', turn: 1, finish: 'tool-calls', usage: { requests: 1 } },
      { type: 'tool-call', ...call, arguments: '{"text":"a"}' },
      { type: 'tool-call', ...other, arguments: '{}' },
      { type: 'tool-start', ...call, arguments: '{"text":"a"}' },
      { type: 'tool-progress', ...call, done: 1, total: 2, message: 'half' },
      { type: 'tool-log', ...call, level: 'info', data: { seen: 'a' } },
      { type: 'tool-end', ...call, result: 'a', isError: false },
      { type: 'tool-end', ...other, isError: true, error: { name: 'ToolError' } },
      { type: 'turn-start', turn: 2 },
      { type: 'model-start', turn: 2 },
      { type: 'note', turn: 2, code: 'c', message: 'm' },
      { type: 'text-delta', turn: 2, text: 'all ' },
      { type: 'text-delta', turn: 2, text: 'done' },
      { type: 'model-end', turn: 2, finish: 'stop' },
      { type: 'run-end', usage: { requests: 2 }, counts: { turns: 2 } },
    ]);
    expect(await stream.result).toEqual(await new Agent({ model: script(), tools: [echo] }).run('x'));
  });

  it('goes on when nobody reads its events', async () => {
    const { result } = new Agent({ model: script(), tools: [echo] }).stream('x');
    expect((await result).output).toBe('all done');
  });

  it('delivers events that came before the reader', async () => {
    const stream = new Agent({ model: script(), tools: [echo] }).stream('x');
    await stream.result;
    expect((await read(stream)).at(-1)?.type).toBe('run-end');
  });

  it('throws the error of the run after the last event, and rejects its result with the same', async () => {
    const stream = new Agent({ model: scripted([new Error('down')]) }).stream('x');
    const events: RunEvent[] = [];
    const thrown = await (async () => {
      for await (const event of stream) events.push(event);
    })().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ stage: 'model' });
    expect(events.at(-1)).toEqual(expect.objectContaining({ type: 'run-end', error: thrown }));
    expect(await stream.result.catch((error: unknown) => error)).toBe(thrown);
  });

  it('throws for input that cannot be used', async () => {
    const stream = new Agent({ model: scripted([]) }).stream('');
    await expect(read(stream)).rejects.toThrow(/blank/);
  });

  it('is aborted when its reader leaves', async () => {
    const model = scripted([{ text: 'a', wait: Promise.resolve() }, 'never']);
    const user = new AbortController();
    const stream = new Agent({ model: script(), tools: [echo] }).stream('x', { signal: user.signal });
    for await (const event of stream) if (event.type === 'turn-start') break;
    const error = await stream.result.catch((thrown: unknown) => thrown);
    expect(isRunAbortedError(error)).toBe(true);
    expect((error as Error).message).toContain('the reader left');
    expect(getEventListeners(user.signal, 'abort')).toHaveLength(0);
    expect(model.requests).toHaveLength(0);
  });

  it('is aborted by the signal of the caller', async () => {
    const user = new AbortController();
    const stream = new Agent({ model: scripted([{ wait: new Promise(() => {}) }]) }).stream('x', {
      signal: user.signal,
    });
    const reading = read(stream).catch((error: unknown) => error);
    user.abort('stop');
    expect(await reading).toMatchObject({ name: 'AbortError', cause: 'stop' });
    expect(getEventListeners(user.signal, 'abort')).toHaveLength(0);
  });

  it('can be read by one loop only', async () => {
    const stream = new Agent({ model: script(), tools: [echo] }).stream('x');
    await read(stream);
    expect(() => stream[Symbol.asyncIterator]()).toThrow(/read once/);
  });

  it('lets a tool report nothing any more once its call has ended', async () => {
    let report: () => void = () => {};
    const sly = tool({
      name: 'sly',
      description: '',
      run: (_, ctx) => {
        report = () => {
          ctx.progress(9);
          ctx.log('info', 'late');
        };
        return 'x';
      },
    });
    const model = scripted([
      { toolCalls: [{ name: 'sly' }] },
      () => {
        report();
        return 'done';
      },
    ]);
    const types = (await read(new Agent({ model, tools: [sly] }).stream('x'))).map(event => event.type);
    expect(types).not.toContain('tool-progress');
    expect(types).not.toContain('tool-log');
  });
});

describe('an observer', () => {
  it('that throws or rejects changes nothing', async () => {
    let seen = 0;
    const agent = new Agent({
      model: script(),
      tools: [echo],
      onEvent: () => {
        seen += 1;
        throw new Error('broken observer');
      },
    });
    const result = await agent.run('x', {
      onEvent: async () => {
        throw new Error('broken async observer');
      },
    });
    expect(result.output).toBe('all done');
    expect(seen).toBeGreaterThan(10);
    await new Promise(resolve => setImmediate(resolve));
  });
});

describe('whatever the tools do and in whatever order they finish', () => {
  it('starts and ends are told, and results stand, in the order of the model', async () => {
    const behaviour = fc.constantFrom('works', 'mendable', 'unknown', 'malformed', 'alone');
    const plan = fc.array(fc.record({ behaviour, ticks: fc.nat(5) }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(plan, fc.integer({ min: 1, max: 4 }), async (calls, parallel) => {
        const work = (name: string, sequential: boolean): ReturnType<typeof tool> =>
          tool({
            name,
            description: '',
            sequential,
            input: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
            run: async ({ at }) => {
              for (let tick = 0; tick < (calls[at]?.ticks ?? 0); tick += 1) await Promise.resolve();
              if (calls[at]?.behaviour === 'mendable') throw new ToolError(`result ${at}`);
              return `result ${at}`;
            },
          }) as ReturnType<typeof tool>;
        const toolCalls = calls.map((call, at) => ({
          id: `id-${at}`,
          name: call.behaviour === 'unknown' ? 'nope' : call.behaviour === 'alone' ? 'alone' : 'work',
          arguments: call.behaviour === 'malformed' ? '{' : { at },
        }));
        const model = scripted([{ toolCalls }, 'done']);
        const agent = new Agent({ model, parallel, tools: [work('work', false), work('alone', true)] });
        const stream = agent.stream('x');
        const events = await read(stream);
        const ids = toolCalls.map(call => call.id);
        const of = (type: RunEvent['type']): string[] =>
          events.flatMap(event => (event.type === type && 'callId' in event ? [event.callId] : []));
        expect(of('tool-call')).toEqual(ids);
        expect(of('tool-end')).toEqual(ids);
        const runs = calls.map(call => call.behaviour !== 'unknown' && call.behaviour !== 'malformed');
        expect(of('tool-start')).toEqual(ids.filter((_, at) => runs[at]));
        const results = (await stream.result).messages.filter(
          (message: ModelMessage) => message.role === 'tool',
        );
        expect(results.map(message => message.toolCallId)).toEqual(ids);
        for (const [at, message] of results.entries()) {
          if (runs[at]) expect(message.content).toBe(`result ${at}`);
        }
      }),
      { numRuns: 60 },
    );
  });
});
