import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../../basics/failure.ts';
import { manualClock } from '../../basics/manual-clock.ts';
import { image } from '../../tools/content.ts';
import { type AnyTool, tool } from '../../tools/tool.ts';
import { ToolError } from '../../tools/tool-error.ts';
import type { AdapterOptions, Tools } from './adapter-options.ts';
import { type CallableTools, makeCallable } from './callable-tools.ts';

const input = {
  type: 'object',
  properties: { n: { type: 'integer', exclusiveMinimum: 0 } },
  required: ['n'],
  additionalProperties: false,
} as const;

const half = tool({ name: 'half', description: 'Halves.', input, run: ({ n }) => ({ half: n / 2 }) });
const plain = { name: 'test', family: 'openai', shows: () => true } as const;

const make = (tools: Tools, options: AdapterOptions = {}): Promise<CallableTools> =>
  makeCallable(tools, options, plain);

/** Never ends by itself. */
function endless(name = 'endless', extra: { readonly timeout?: number; readonly sequential?: boolean } = {}) {
  const seen: { signal?: AbortSignal } = {};
  const made = tool({
    name,
    description: 'Waits.',
    ...extra,
    run: (_, { signal }) => {
      seen.signal = signal;
      return new Promise<string>(() => {});
    },
  });
  return { made, seen };
}

describe('tools for a library', () => {
  it('are taken from a list, or from a source that is asked once', async () => {
    expect((await make([half])).definitions.map(({ name }) => name)).toEqual(['half']);
    const asked: unknown[] = [];
    const { signal } = new AbortController();
    const source = {
      tools: (options?: { readonly signal?: AbortSignal | undefined }) => {
        asked.push(options?.signal);
        return Promise.resolve([half]);
      },
    };
    expect((await make(source, { signal })).definitions).toHaveLength(1);
    expect(asked).toEqual([signal]);
  });

  it('lose one whose schema cannot be used, alone and with a reason', async () => {
    const bad = { ...half, name: 'bad', input: { type: 'object', properties: 7 } } as unknown as AnyTool;
    const dropped: unknown[] = [];
    const callable = await make([half, bad, { ...half, name: 'other' }], {
      onDrop: each => dropped.push(each),
    });
    expect(callable.definitions.map(({ name }) => name)).toEqual(['half', 'other']);
    expect(dropped).toEqual([
      { tool: 'bad', reason: expect.stringMatching(/^its schema cannot be used: at #\/properties/) },
    ]);
    expect(await callable.run({ id: '1', name: 'bad', input: {} })).toMatchObject({ isError: true });
  });

  it('are refused as a whole only for what is no tool, or for two of one name', async () => {
    await expect(make(7 as never)).rejects.toThrow(
      'test: tools must be a list of tools, or a source of them',
    );
    await expect(make([{}] as never)).rejects.toThrow('test: tools[0] has no name');
    await expect(make([half, half])).rejects.toThrow('test: two tools are named "half"');
    await expect(make([half], { onDrop: 1 as never })).rejects.toThrow('test: onDrop must be a function');
  });

  it('go by names that the provider takes, also in the words of a refusal', async () => {
    const callable = await make([{ ...half, name: 'math.half' }]);
    const [definition] = callable.definitions;
    expect(definition?.name).toMatch(/^math_half/);
    expect(await callable.run({ id: '1', name: definition?.name ?? '', input: { n: 4 } })).toEqual({
      content: [{ type: 'text', text: '{"half":2}' }],
      structuredContent: { half: 2 },
      isError: false,
    });
    const unknown = await callable.run({ id: '1', name: 'thirds', input: {} });
    expect(unknown.content).toEqual([
      {
        type: 'text',
        text: `There is no tool named "thirds"; use one of: ${definition?.name}`,
      },
    ]);
  });

  it('tell what a schema loses, and judge by the whole of it', async () => {
    const losses: unknown[] = [];
    const callable = await make([half], { family: 'gemini', onLoss: loss => losses.push(loss) });
    expect(losses).toContainEqual(expect.objectContaining({ tool: 'half' }));
    for (const input of [{ n: 0 }, { n: 1.5 }, {}, { n: 1, m: 2 }, [], 'no JSON', null]) {
      expect(await callable.run({ id: '1', name: 'half', input })).toMatchObject({ isError: true });
    }
    expect(await callable.run({ id: '1', name: 'half', input: '{"n":8}' })).toMatchObject({
      structuredContent: { half: 4 },
    });
  });

  it('mend slips of a model unless that is switched off', async () => {
    const optional = tool({
      name: 'greet',
      description: 'Greets.',
      input: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
      run: ({ name = 'you' }) => `hello ${name}`,
    });
    const call = { id: '1', name: 'greet', input: { name: null } };
    expect(await (await make([optional])).run(call)).toMatchObject({ isError: false });
    expect(await (await make([optional], { tidy: false })).run(call)).toMatchObject({ isError: true });
  });
});

describe('a call', () => {
  const failing = (error: unknown): AnyTool =>
    tool({
      name: 'fails',
      description: 'Fails.',
      run: () => {
        throw error;
      },
    });

  it('that fails in a way the model can mend is a result', async () => {
    const callable = await make([failing(new ToolError('try another id', { data: { ids: [1] } }))]);
    expect(await callable.run({ id: '1', name: 'fails', input: {} })).toEqual({
      content: [{ type: 'text', text: 'try another id' }],
      structuredContent: { ids: [1] },
      isError: true,
    });
  });

  it('that fails otherwise is thrown, in words fit for a model and with its cause', async () => {
    const cause = new Error('no route, password=hunter22 sent\nat line 7');
    const thrown: unknown = await (await make([failing(cause)]))
      .run({ id: '1', name: 'fails', input: {} })
      .catch((error: unknown) => error);
    expect(isFailure(thrown, 'ToolError')).toBe(false);
    expect(thrown).toMatchObject({ message: 'Tool "fails" failed: no route, password=*** sent', cause });
  });

  it('keeps blocks, data and the mark of a failed result', async () => {
    const content = [image('iVBORw0KGgo=', 'image/png')];
    const seen = tool({
      name: 'seen',
      description: 'Shows.',
      run: () => ({ content, structuredContent: { ok: false }, isError: true }),
    });
    expect(await (await make([seen])).run({ id: '1', name: 'seen', input: {} })).toEqual({
      content,
      structuredContent: { ok: false },
      isError: true,
    });
  });

  it('with arguments of any kind is a result, and runs only what fits', async () => {
    const ran: unknown[] = [];
    const noting = tool({ name: 'half', description: 'Notes.', input, run: args => void ran.push(args) });
    const callable = await make([noting], { tidy: false });
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.string(),
      fc.record({ n: fc.jsonValue() }),
      fc.constant(undefined),
    );
    await fc.assert(
      fc.asyncProperty(anything, async input => {
        const before = ran.length;
        const { isError } = await callable.run({ id: '1', name: 'half', input });
        expect(ran.length - before).toBe(isError ? 0 : 1);
      }),
      { numRuns: 300 },
    );
    expect(
      ran.every(args => Number.isInteger((args as { n: number }).n) && (args as { n: number }).n > 0),
    ).toBe(true);
  });

  it('is aborted at once, and the tool hears of it', async () => {
    const { made, seen } = endless();
    const controller = new AbortController();
    const callable = await make([made]);
    const running = callable.run({ id: '1', name: 'endless', input: {}, signal: controller.signal });
    while (seen.signal === undefined) await new Promise(resolve => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(seen.signal.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await expect(
      callable.run({ id: '2', name: 'endless', input: {}, signal: controller.signal }),
    ).rejects.toThrow('enough');
  });

  it('may not take longer than its tool allows', async () => {
    const { made, seen } = endless('slow', { timeout: 50 });
    const clock = manualClock();
    const callable = await make([made], { clock });
    const running = callable.run({ id: '1', name: 'slow', input: {} });
    while (seen.signal === undefined) await new Promise(resolve => setImmediate(resolve));
    clock.advance(50);
    await expect(running).rejects.toThrow('Tool "slow" failed');
    expect(clock.pending).toBe(0);
  });

  it('of a sequential tool waits for the others', async () => {
    const { made, seen } = endless('alone', { sequential: true });
    const begun: string[] = [];
    const other = tool({ name: 'other', description: 'Notes.', run: () => void begun.push('other') });
    const callable = await make([made, other]);
    const controller = new AbortController();
    const alone = callable.run({ id: '1', name: 'alone', input: {}, signal: controller.signal });
    while (seen.signal === undefined) await new Promise(resolve => setImmediate(resolve));
    const waiting = callable.run({ id: '2', name: 'other', input: {} });
    await new Promise(resolve => setImmediate(resolve));
    expect(begun).toEqual([]);
    controller.abort(new Error('enough'));
    await expect(alone).rejects.toThrow('enough');
    await waiting;
    expect(begun).toEqual(['other']);
  });
});

describe('a tool that needs approval', () => {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    input,
    needsApproval: ({ n }) => n > 10,
    run: ({ n }) => `paid ${n}`,
  });
  const call = (n: number) => ({ id: `call_${n}`, name: 'pay', input: { n } });

  it('does not run where nobody can be asked', async () => {
    const callable = await make([pay]);
    await expect(callable.run(call(20))).rejects.toThrow('needs approval');
    expect(await callable.run(call(2))).toMatchObject({ isError: false });
  });

  it('runs or not as `approve` decides', async () => {
    const asked: unknown[] = [];
    const callable = await make([pay], {
      approve: ({ tool: name, arguments: args, callId }) => {
        asked.push([name, args, callId]);
        return { allow: (args as { n: number }).n < 30, reason: 'too much' };
      },
    });
    expect(callable.asksBefore('pay')).toBeUndefined();
    expect(await callable.run(call(20))).toMatchObject({ isError: false });
    expect(await callable.run(call(40))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('too much') }],
    });
    expect(await callable.run(call(2))).toMatchObject({ isError: false });
    expect(asked).toEqual([
      ['pay', { n: 20 }, 'call_20'],
      ['pay', { n: 40 }, 'call_40'],
    ]);
  });

  it('runs when the library was told to ask, and comes back', async () => {
    const callable = await make([pay, half]);
    expect(callable.asksBefore('half')).toBeUndefined();
    const asks = callable.asksBefore('pay');
    expect(await asks?.({ id: 'call_2', input: { n: 2 } })).toBe(false);
    expect(await asks?.({ id: 'call_x', input: { n: 'no' } })).toBe(false);
    expect(await asks?.({ id: 'call_20', input: { n: 20 } })).toBe(true);
    await expect(callable.run({ ...call(20), id: 'another' })).rejects.toThrow('needs approval');
    expect(await callable.run(call(20))).toMatchObject({ isError: false });
    await expect(callable.run(call(20))).rejects.toThrow('needs approval');
  });
});
