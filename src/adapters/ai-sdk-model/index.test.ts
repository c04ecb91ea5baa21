import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../basics/manual-clock.ts';
import type { Part } from '../../models/model.ts';
import { finish, preparedModel, says, usage } from './fixtures/language-model.ts';
import { fromAiSdk } from './index.ts';

const request = { messages: [{ role: 'user', content: 'Go on.' }] } as const;

async function collect(parts: AsyncIterable<Part>): Promise<Part[]> {
  const collected: Part[] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

const isAborted = (signal: unknown): boolean => signal instanceof AbortSignal && signal.aborted;

const told = { inputTokens: 11, outputTokens: 7, cachedInputTokens: 4, reasoningTokens: 2 };

describe('a model of the AI SDK', () => {
  it('yields text, usage and why it ended, and tells each dispatch before it happens', async () => {
    const sdk = preparedModel([says('Hello')]);
    const model = fromAiSdk(sdk);
    expect(model.name).toBe('ai-sdk/prepared:model-1');
    const attempts: unknown[] = [];
    const parts = await collect(
      model.respond(request, { onAttempt: attempt => attempts.push([attempt, sdk.asked.length]) }),
    );
    expect(parts).toEqual([
      { type: 'text', text: 'Hello' },
      { type: 'usage', usage: { ...told, requests: 1 } },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(attempts).toEqual([[{ model: model.name, number: 1 }, 0]]);
  });

  it('is asked for nothing that nobody set', async () => {
    const sdk = preparedModel([says('Hello')]);
    await collect(fromAiSdk(sdk).respond(request));
    expect(sdk.asked).toEqual([
      {
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }],
        abortSignal: expect.any(AbortSignal),
      },
    ]);
  });

  it('passes on options, those of the request first, and what is extra last', async () => {
    const sdk = preparedModel([says('Hello'), says('Hello')]);
    const model = fromAiSdk(sdk, {
      temperature: 0.1,
      maxTokens: 10,
      extra: { providerOptions: { x: { y: 1 } }, maxOutputTokens: 12 },
    });
    await collect(model.respond(request));
    await collect(model.respond({ ...request, temperature: 0.9, toolChoice: 'required' }));
    expect(sdk.asked).toMatchObject([
      { temperature: 0.1, maxOutputTokens: 12, providerOptions: { x: { y: 1 } } },
      { temperature: 0.9 },
    ]);
    // There are no tools to choose from.
    expect(sdk.asked[1]).not.toHaveProperty('toolChoice');
  });

  it('is shown tools as every provider takes them, and their names are mapped back', async () => {
    const call = { type: 'tool-call', toolCallId: 'c1', input: '{"id":"A"}' };
    let alias = '';
    const sdk = preparedModel([]);
    const model = fromAiSdk({
      ...sdk,
      doStream: options => {
        const { tools } = options as { readonly tools: readonly { readonly name: string }[] };
        alias = tools[0]?.name ?? '';
        return preparedModel([[{ ...call, toolName: alias }, finish('tool-calls')]]).doStream(options);
      },
    });
    const parameters = { type: 'object', properties: { id: { type: 'string' } } } as const;
    const tools = [{ name: 'orders.find', description: 'Finds.', parameters }];
    const parts = await collect(model.respond({ ...request, tools, toolChoice: { name: 'orders.find' } }));
    expect(alias).toMatch(/^orders_find/);
    expect(parts).toContainEqual({ type: 'tool-call-start', index: 0, id: 'c1', name: 'orders.find' });
    expect(parts).toContainEqual({ type: 'tool-call-delta', index: 0, arguments: '{"id":"A"}' });
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' });
  });

  it('asks for JSON of a shape in a form that strict providers take, or of the family', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } } as const;
    const output = { name: 'count', schema };
    const sdk = preparedModel([says('{}'), says('{}'), says('{}')]);
    await collect(fromAiSdk(sdk).respond({ ...request, output }));
    await collect(fromAiSdk(sdk, { family: 'openai' }).respond({ ...request, output }));
    await collect(fromAiSdk(sdk).respond({ ...request, output: { name: 'x', schema: { type: 7 } } }));
    expect(sdk.asked[0]?.['responseFormat']).toEqual({
      type: 'json',
      name: 'count',
      schema: {
        type: 'object',
        properties: { n: { type: ['integer', 'null'] } },
        required: ['n'],
        additionalProperties: false,
      },
    });
    expect(sdk.asked[1]?.['responseFormat']).toEqual({ type: 'json', name: 'count', schema });
    expect(sdk.asked[2]).not.toHaveProperty('responseFormat');
  });

  it('gives whole answers when it is not to stream', async () => {
    const answer = {
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'a' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '' },
      ],
      finishReason: { unified: 'tool-calls', raw: 'tool_use' },
      usage,
      warnings: [{ type: 'unsupported', feature: 'seed', details: 'no seed here' }],
    };
    const sdk = preparedModel([[answer]]);
    expect(await collect(fromAiSdk(sdk, { stream: false }).respond(request))).toEqual([
      { type: 'note', code: 'provider-warning', message: 'unsupported: seed: no seed here' },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'tool-call-start', index: 0, id: 'c1', name: 'add' },
      { type: 'usage', usage: { ...told, requests: 1 } },
      { type: 'replay', replay: { provider: 'ai-sdk/prepared', items: expect.any(Array) } },
      { type: 'finish', reason: 'tool-calls' },
    ]);
  });

  it('tries again as our models do, unless that is switched off', async () => {
    const failure = Object.assign(new Error('busy'), { name: 'AI_APICallError', statusCode: 503 });
    const sdk = preparedModel([failure, says('Hello')]);
    const parts = await collect(fromAiSdk(sdk, { retry: { delay: 0 } }).respond(request));
    expect(parts).toContainEqual({ type: 'usage', usage: { ...told, requests: 2 } });
    const once = fromAiSdk(preparedModel([failure]), { retry: false });
    await expect(collect(once.respond(request))).rejects.toMatchObject({
      kind: 'server',
      status: 503,
      usage: { requests: 1 },
    });
  });

  it('lets what forbids a dispatch through as it is', async () => {
    const sdk = preparedModel([says('Hello')]);
    const forbidden = new Error('no budget');
    const onAttempt = (): void => {
      throw forbidden;
    };
    await expect(collect(fromAiSdk(sdk).respond(request, { onAttempt }))).rejects.toBe(forbidden);
    expect(sdk.asked).toEqual([]);
  });

  it.each([true, false])('is left at once when it is aborted, streaming or not: %s', async stream => {
    const sdk = preparedModel(['silence']);
    const controller = new AbortController();
    const running = collect(fromAiSdk(sdk, { stream }).respond(request, { signal: controller.signal }));
    while (sdk.asked.length === 0) await new Promise(resolve => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(isAborted(sdk.asked[0]?.['abortSignal'])).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    if (stream) expect(sdk.cancelled).toBe(1);
  });

  it('is given up after a time without a word', async () => {
    const clock = manualClock();
    const sdk = preparedModel(['silence']);
    const running = collect(fromAiSdk(sdk, { clock, timeout: 500, retry: false }).respond(request));
    while (clock.pending === 0 || sdk.asked.length === 0) await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setImmediate(resolve));
    clock.advance(500);
    await expect(running).rejects.toMatchObject({ kind: 'timeout', retryable: true });
    expect(clock.pending).toBe(0);
    expect(sdk.cancelled).toBe(1);
  });

  it('frees the stream of a reader that stops early', async () => {
    const sdk = preparedModel([says('Hello')]);
    for await (const part of fromAiSdk(sdk).respond(request)) {
      expect(part).toEqual({ type: 'text', text: 'Hello' });
      break;
    }
    expect(sdk.cancelled).toBe(1);
    expect(isAborted(sdk.asked[0]?.['abortSignal'])).toBe(true);
  });

  it('is refused when it is none, or options are odd', () => {
    expect(() => fromAiSdk('gpt-9' as never)).toThrow(
      '"gpt-9" is the name of a model; give the model itself',
    );
    expect(() => fromAiSdk({ ...preparedModel([]), specificationVersion: 'v1' })).toThrow(
      'a language model of specification v2, v3 or v4 is needed, got "v1"',
    );
    expect(() => fromAiSdk(undefined as never)).toThrow('is needed, got nothing');
    expect(() => fromAiSdk(preparedModel([]), { timeout: 0 })).toThrow('timeout must be');
    expect(() => fromAiSdk(preparedModel([]), { temperature: -1 })).toThrow('temperature must be');
    expect(() => fromAiSdk(preparedModel([]), { maxTokens: 0.5 })).toThrow('maxTokens must be');
  });

  it('fails on a stream that is none', async () => {
    const model = fromAiSdk({ ...preparedModel([]), doStream: () => Promise.resolve({ stream: {} }) });
    await expect(collect(model.respond(request))).rejects.toMatchObject({ name: 'ModelError' });
  });
});
