import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scripted } from '../../testing/scripted.ts';
import { tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import { Agent } from '../agent.ts';
import type { RunError } from '../errors.ts';
import type { RunEvent } from '../events.ts';

const output = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const;

let ran = 0;
const plain = tool({
  name: 'plain',
  description: '',
  run: () => {
    ran += 1;
    return 'x';
  },
});

async function failure(run: Promise<unknown>): Promise<RunError> {
  return run.then(
    () => expect.fail('the run succeeded'),
    (error: RunError) => error,
  );
}

function answer(args: unknown, name = 'final_answer') {
  return { name, arguments: args };
}

describe('an output asked for by a tool', () => {
  it('is the arguments of its first call, which ends the run; the call is closed', async () => {
    const model = scripted([{ toolCalls: [{ name: 'plain' }] }, { toolCalls: [answer({ city: 'Oslo' })] }]);
    const agent = new Agent({ model, output, outputMode: 'tool', tools: [plain] });
    const { output: value, messages, counts } = await agent.run('where?');
    expect(value).toEqual({ city: 'Oslo' });
    expect(model.requests[0]?.output).toBeUndefined();
    expect(model.requests[0]?.tools?.map(spec => spec.name)).toEqual(['final_answer', 'plain']);
    expect(model.requests[0]?.tools?.[0]?.parameters).toEqual(output);
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      toolName: 'final_answer',
      content: 'The answer is recorded.',
    });
    expect(counts).toMatchObject({ turns: 2, toolCalls: 1, rejectedCalls: 0 });
  });

  it('leaves calls beside it unrun, each with a neutral result, and tells of none of them', async () => {
    ran = 0;
    const calls = [{ name: 'plain' }, answer({ city: 'Oslo' }), answer({ city: 'Rome' })];
    const events: RunEvent[] = [];
    const agent = new Agent({
      model: scripted([{ toolCalls: calls }]),
      output,
      outputMode: 'tool',
      tools: [plain],
    });
    const result = await agent.run('where?', { onEvent: event => events.push(event) });
    expect(result.output).toEqual({ city: 'Oslo' });
    expect(ran).toBe(0);
    expect(result.messages.slice(2).map(message => message.content)).toEqual([
      'Not run: the answer was given in the same turn.',
      'The answer is recorded.',
      'Not run: the answer was given in the same turn.',
    ]);
    expect(events.some(event => event.type === 'tool-call' || event.type === 'tool-end')).toBe(false);
    expect(result.counts.toolCalls).toBe(0);
  });

  it('is corrected by a refusal bound to the call', async () => {
    const model = scripted([
      { toolCalls: [answer({ town: 'Oslo' })] },
      { toolCalls: [answer('{"city"')] },
      { toolCalls: [answer({ city: 'Oslo' })] },
    ]);
    const events: RunEvent[] = [];
    const agent = new Agent({ model, output, outputMode: 'tool' });
    const { output: value, messages } = await agent.run('x', { onEvent: event => events.push(event) });
    expect(value).toEqual({ city: 'Oslo' });
    expect(messages[2]).toMatchObject({ role: 'tool', toolCallId: 'call_1', isError: true });
    expect(messages[2]?.content).toMatch(/does not fit the schema: .*city.* Call final_answer again/);
    expect(messages[4]?.content).toMatch(/^The arguments are not valid JSON/);
    expect(events.filter(event => event.type === 'output-rejected')).toMatchObject([
      { turn: 1, attempt: 2 },
      { turn: 2, attempt: 3 },
    ]);
  });

  it('may also be given as text, which is corrected to a call when it does not fit', async () => {
    const one = scripted(['{"city":"Oslo"}']);
    expect((await new Agent({ model: one, output, outputMode: 'tool' }).run('x')).output).toEqual({
      city: 'Oslo',
    });
    const two = scripted(['Oslo', { toolCalls: [answer({ city: 'Oslo' })] }]);
    const { messages } = await new Agent({ model: two, output, outputMode: 'tool' }).run('x');
    expect(messages[2]).toMatchObject({
      role: 'user',
      content: expect.stringContaining('Call final_answer'),
    });
  });

  it('that is no object is the one property of one; definitions stay in reach', async () => {
    const list = { type: 'array', items: { $ref: '#/$defs/city' }, $defs: { city: { type: 'string' } } };
    const model = scripted([{ toolCalls: [answer({ value: ['Oslo'] })] }]);
    const result = await new Agent({ model, output: list, outputMode: 'tool' }).run('x');
    expect(result.output).toEqual(['Oslo']);
    expect(model.requests[0]?.tools?.[0]?.parameters).toEqual({
      type: 'object',
      properties: { value: { type: 'array', items: { $ref: '#/$defs/city' } } },
      required: ['value'],
      additionalProperties: false,
      $defs: { city: { type: 'string' } },
    });
  });

  it('takes another name where a tool has it', async () => {
    const own = tool({ name: 'final_answer', description: 'own', run: () => 'x' });
    const model = scripted([
      { toolCalls: [{ name: 'final_answer' }] },
      { toolCalls: [answer({ city: 'Oslo' }, 'final_answer_2')] },
    ]);
    const result = await new Agent({ model, output, outputMode: 'tool', tools: [own] }).run('x');
    expect(result.output).toEqual({ city: 'Oslo' });
    expect(result.messages[2]?.content).toBe('x');
  });

  it('fails at stage decode after the corrections, its calls answered', async () => {
    const model = scripted([{ toolCalls: [answer({})] }], { cycle: true });
    const error = await failure(new Agent({ model, output, outputMode: 'tool', outputRetries: 1 }).run('x'));
    expect(error).toMatchObject({ stage: 'decode', attempts: 2, cause: { name: 'OutputError', text: '{}' } });
    expect(error.messages.at(-1)).toMatchObject({ role: 'tool', isError: true });
  });

  it('mends slips in its arguments as for any tool', async () => {
    const schema = { ...output, properties: { ...output.properties, note: { type: 'string' } } } as const;
    const model = scripted([{ toolCalls: [answer({ city: 'Oslo', note: null })] }]);
    const result = await new Agent({ model, output: schema, outputMode: 'tool' }).run('x');
    expect(result.output).toEqual({ city: 'Oslo' });
  });

  it('cannot be where no tool may be called', () => {
    const options = { model: scripted([]), output, outputMode: 'tool', toolChoice: 'none' } as const;
    expect(() => new Agent(options)).toThrow(/toolChoice "none" forbids the output tool/);
  });

  it('still ends a run in which a call is required', async () => {
    const model = scripted([{ toolCalls: [answer({ city: 'Oslo' })] }]);
    const agent = new Agent({ model, output, outputMode: 'tool', toolChoice: 'required' });
    expect((await agent.run('x')).output).toEqual({ city: 'Oslo' });
    expect(model.requests[0]?.toolChoice).toBe('required');
  });
});

describe('an output asked for in words', () => {
  it('stands at the end of the instructions, and nothing else asks for it', async () => {
    const model = scripted(['{"city":"Oslo"}']);
    const agent = new Agent({ model, output, outputMode: 'text', instructions: 'Be brief.' });
    expect((await agent.run('x')).output).toEqual({ city: 'Oslo' });
    expect(model.requests[0]?.output).toBeUndefined();
    expect(model.requests[0]?.messages[0]?.content).toMatch(
      /^Be brief\.\n\nGive your final answer as .*"city"/,
    );
  });
});

describe('a decode function', () => {
  it('makes the output of the text, and may have it corrected', async () => {
    const model = scripted(['not a number', '42']);
    const agent = new Agent({
      model,
      decode(text) {
        const number = Number(text);
        if (Number.isNaN(number)) throw new ToolError('Answer with a number alone');
        return number;
      },
    });
    const { output: value, messages } = await agent.run('how many?');
    expect(value).toBe(42);
    expect(messages[2]?.content).toBe('Answer with a number alone. Answer again.');
    expect(model.requests[0]).toEqual({ messages: [{ role: 'user', content: 'how many?' }] });
  });

  it('makes it of the data that the schema judged, after its transforms', async () => {
    const model = scripted(['{"at":"42"}']);
    const agent = new Agent({
      model,
      output: z.object({ at: z.string().transform(Number) }),
      decode: async ({ at }) => at + 1,
    });
    expect((await agent.run('x')).output).toBe(43);
  });

  it('is given the arguments of the output tool too', async () => {
    const model = scripted([{ toolCalls: [answer({ city: 'Oslo' })] }]);
    const agent = new Agent({ model, output, outputMode: 'tool', decode: ({ city }) => city.length });
    expect((await agent.run('x')).output).toBe(4);
  });

  it('that throws anything else fails the run at once', async () => {
    const cause = new RangeError('a bug');
    const agent = new Agent({
      model: scripted(['a', 'b']),
      decode: () => {
        throw cause;
      },
    });
    const error = await failure(agent.run('x'));
    expect(error).toMatchObject({ stage: 'decode', cause, usage: { requests: 1 } });
    expect(error.message).toContain('a bug');
  });

  it('that hangs is left at once when the run is aborted', async () => {
    const controller = new AbortController();
    const agent = new Agent({
      model: scripted(['a']),
      decode: () => {
        controller.abort(new Error('enough'));
        return new Promise<string>(() => {});
      },
    });
    const error = await failure(agent.run('x', { signal: controller.signal }));
    expect(error.name).toBe('AbortError');
    expect(error.message).toContain('while the answer of turn 1 was judged');
  });

  it('is refused when it is none', () => {
    expect(() => new Agent({ model: scripted([]), decode: 'x' as never })).toThrow(
      /decode must be a function/,
    );
    expect(() => new Agent({ model: scripted([]), outputMode: 'magic' as never })).toThrow(/outputMode/);
  });
});
