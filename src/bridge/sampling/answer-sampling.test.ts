import { describe, expect, it } from 'vitest';
import { connect } from '../../client/client.ts';
import type { ClientOptions } from '../../client/options.ts';
import { EraMemory, revisions } from '../../eras/index.ts';
import { ModelError } from '../../models/model-error.ts';
import { isProtocolError } from '../../rpc/protocol-error.ts';
import { Server } from '../../server/server.ts';
import { type ScriptedStep, scripted } from '../../testing/scripted.ts';
import { image } from '../../tools/content.ts';
import type { SampleAnswer, SampleQuestion } from '../../tools/question.ts';
import { tool } from '../../tools/tool.ts';
import { type AnswerSamplingOptions, answerSampling, type SamplingRequest } from './answer-sampling.ts';

const hello: SampleQuestion = {
  messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
  maxTokens: 50,
};

/** What the handler answers, or the error that it rejects with. */
async function answer(
  steps: readonly ScriptedStep[],
  question: unknown,
  options: Partial<AnswerSamplingOptions> = {},
) {
  const model = scripted(steps, { name: 'p:m' });
  const handler = answerSampling(model, { approve: 'always', ...options });
  const { signal } = new AbortController();
  const outcome = await handler(question as SampleQuestion, { signal }).catch((error: unknown) => error);
  return { outcome: outcome as SampleAnswer & { code?: number; reason?: string }, requests: model.requests };
}

describe.each(revisions.slice(-2))('a server that samples, in %s', protocol => {
  const guide = (question: SampleQuestion) =>
    tool({
      name: 'guide',
      description: '',
      async run(_args, { sample }) {
        return JSON.stringify(await sample('q', question));
      },
    });
  const call = async (question: SampleQuestion, options: ClientOptions) => {
    const server = new Server({ name: 's', version: '1', tools: [guide(question)] });
    await using client = await connect(server, { protocol, eraMemory: new EraMemory(), ...options });
    return await client.call('guide').catch((error: unknown) => error);
  };

  it("is answered by the client's model, and reads its words, its name and why it stopped", async () => {
    const model = scripted(['good day'], { name: 'p:m' });
    const result = await call(
      { ...hello, systemPrompt: 'be kind', temperature: 0.5 },
      { onSample: answerSampling(model, { approve: () => true }) },
    );
    expect(result).toMatchObject({ content: [{ type: 'text' }] });
    expect(JSON.parse((result as { content: [{ text: string }] }).content[0].text)).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'good day' },
      model: 'p:m',
      stopReason: 'endTurn',
    });
    expect(model.requests).toEqual([
      {
        messages: [
          { role: 'system', content: 'be kind' },
          { role: 'user', content: 'hello' },
        ],
        maxTokens: 50,
        temperature: 0.5,
      },
    ]);
  });

  it('hears of a no, and the model is not asked', async () => {
    const model = scripted(['never']);
    const approve = () => ({ allow: false, reason: 'not for this server' });
    const result = await call(hello, { onSample: answerSampling(model, { approve }) });
    expect(JSON.stringify(isProtocolError(result) ? result.message : result)).toContain(
      'not for this server',
    );
    expect(model.requests).toEqual([]);
  });

  it('may offer tools when the client says so, and gets the calls back', async () => {
    const model = scripted([
      { text: 'let me see', toolCalls: [{ name: 'look', id: 'a', arguments: { at: 1 } }] },
    ]);
    const result = await call(
      {
        ...hello,
        tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
        toolChoice: { mode: 'required' },
      },
      { modes: { sample: ['tools'] }, onSample: answerSampling(model, { approve: 'always' }) },
    );
    expect(JSON.parse((result as { content: [{ text: string }] }).content[0].text)).toMatchObject({
      stopReason: 'toolUse',
      content: [
        { type: 'text', text: 'let me see' },
        { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 } },
      ],
    });
    expect(model.requests[0]).toMatchObject({
      tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
      toolChoice: 'required',
    });
  });

  it('is told at once that a client without a model cannot be asked', async () => {
    const result = await call(hello, {});
    expect(JSON.stringify(isProtocolError(result) ? result.message : result)).toContain('sampl');
  });
});

describe('a sampling question', () => {
  it('reaches the model with pictures, earlier turns, tool calls and their results', async () => {
    const picture = image('AAAA', 'image/png');
    const { requests } = await answer(['ok'], {
      maxTokens: 9,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'what is this' }, picture] },
        { role: 'assistant', content: { type: 'tool_use', id: 't1', name: 'look', input: { at: 1 } } },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              toolUseId: 't1',
              content: [{ type: 'text', text: 'a cat' }],
              isError: true,
            },
            { type: 'text', text: 'well?' },
          ],
        },
        { role: 'assistant', content: { type: 'text', text: 'a cat' } },
        { role: 'user', content: { type: 'text', text: 'sure?' } },
      ],
    });
    expect(requests[0]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'what is this' }, picture] },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 't1', name: 'look', arguments: '{"at":1}' }],
      },
      {
        role: 'tool',
        toolCallId: 't1',
        toolName: 'look',
        content: [{ type: 'text', text: 'a cat' }],
        isError: true,
      },
      { role: 'user', content: 'well?' },
      { role: 'assistant', content: 'a cat' },
      { role: 'user', content: 'sure?' },
    ]);
  });

  it.each([
    [{ ...hello, messages: [] }, 'at least one message'],
    [{ ...hello, messages: 'hello' }, 'messages must be a list'],
    [{ ...hello, messages: [null] }, 'messages[0] must be a message'],
    [{ ...hello, messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }, 'role must be'],
    [{ ...hello, messages: [{ role: 'user', content: 'text' }] }, 'messages[0] has content that is'],
    [{ ...hello, messages: [{ role: 'user', content: { type: 'video' } }] }, 'cannot be shown'],
    [
      {
        ...hello,
        messages: [{ role: 'user', content: { type: 'tool_result', toolUseId: 'x', content: [] } }],
      },
      'a call that was not made',
    ],
    [{ ...hello, messages: [{ role: 'assistant', content: image('AAAA', 'image/png') }] }, 'cannot say'],
    [{ ...hello, maxTokens: 0 }, 'maxTokens'],
    [{ ...hello, maxTokens: undefined }, 'maxTokens'],
    [{ ...hello, tools: [{ name: 'x' }] }, 'tools[0] must have'],
    [{ ...hello, tools: {} }, 'tools must be a list'],
    [{ ...hello, toolChoice: { mode: 'maybe' } }, 'toolChoice.mode'],
  ])('that is not one is refused with its place, and nothing is spent (%#)', async (question, why) => {
    const { outcome, requests } = await answer(['never'], question);
    expect(outcome).toMatchObject({ code: -32602, reason: expect.stringContaining(why) });
    expect(requests).toEqual([]);
  });

  it('never gets more tokens than this client gives', async () => {
    expect(
      (await answer(['x'], { ...hello, maxTokens: 9_000 }, { maxTokens: 100 })).requests[0]?.maxTokens,
    ).toBe(100);
    expect((await answer(['x'], { ...hello, maxTokens: 9_000 })).requests[0]?.maxTokens).toBe(4096);
  });

  it('may be answered by another model', async () => {
    const small = scripted(['small'], { name: 'p:small' });
    const modelFor = ({ modelPreferences }: SampleQuestion) =>
      modelPreferences?.['speedPriority'] === 1 ? small : undefined;
    const fast = { ...hello, modelPreferences: { speedPriority: 1 } };
    expect((await answer([], fast, { modelFor })).outcome.model).toBe('p:small');
    expect((await answer(['big'], hello, { modelFor })).outcome.model).toBe('p:m');
    const broken = () => {
      throw new Error('secret');
    };
    const { outcome } = await answer([], hello, { modelFor: broken });
    expect(outcome).toMatchObject({ code: -32603, reason: 'no model could be chosen for this question' });
  });
});

describe('an answer', () => {
  it('ends before the first stop sequence', async () => {
    const { outcome } = await answer(['one END two STOP'], { ...hello, stopSequences: ['STOP', 'END', ''] });
    expect(outcome).toMatchObject({ content: { text: 'one ' }, stopReason: 'stopSequence' });
  });

  it.each([
    ['length', 'maxTokens'],
    ['stop', 'endTurn'],
    ['other', undefined],
  ] as const)('that ended with %s says so as %s', async (finish, stopReason) => {
    const { outcome } = await answer([{ text: 'x', finish }], hello);
    expect(outcome.stopReason).toBe(stopReason);
  });

  it.each<[string, ScriptedStep, string]>([
    ['declines', { text: 'I would rather not', finish: 'refusal' }, 'declined to answer: I would rather not'],
    ['fails', new ModelError('no sk-abcdefgh12345678', { kind: 'status', provider: 'p' } as never), 'no ***'],
    ['calls with nonsense', { toolCalls: [{ name: 'look', arguments: '{"a"' }] }, 'not a JSON object'],
  ])('is an error when the model %s', async (_what, step, why) => {
    const { outcome } = await answer([step], hello);
    expect(outcome).toMatchObject({ code: -32603, reason: expect.stringContaining(why) });
  });

  it('is reviewed before it is sent when that is wanted', async () => {
    const seen: unknown[] = [];
    const review = (given: SampleAnswer, { question }: SamplingRequest) => {
      seen.push(given.content, question);
      return false;
    };
    const { outcome } = await answer(['private'], hello, { review });
    expect(seen).toEqual([{ type: 'text', text: 'private' }, hello]);
    expect(outcome).toMatchObject({ code: -1, reason: "the user rejected sending the model's answer" });
    expect(JSON.stringify(outcome)).not.toContain('private');
  });
});

describe('the gate', () => {
  it.each([false, undefined, 'yes', 1, {}, { allow: 'true' }, { allow: false }])(
    'lets nothing through but a yes: %j is none',
    async decision => {
      const { outcome, requests } = await answer(['never'], hello, { approve: () => decision as boolean });
      expect(outcome).toMatchObject({ code: -1, reason: 'the user rejected asking the model' });
      expect(requests).toEqual([]);
    },
  );

  it('that fails keeps the model from being asked, and its words to itself', async () => {
    const approve = () => Promise.reject(new Error('dialog broke'));
    const { outcome, requests } = await answer(['never'], hello, { approve });
    expect(outcome).toMatchObject({ code: -32603, reason: 'nobody could be asked about asking the model' });
    expect(requests).toEqual([]);
  });

  it('is shown the question, the model and the tokens', async () => {
    const seen: SamplingRequest[] = [];
    const approve = (request: SamplingRequest) => {
      seen.push(request);
      return { allow: true };
    };
    await answer(['x'], hello, { approve });
    expect(seen).toMatchObject([{ question: hello, model: 'p:m', maxTokens: 50 }]);
  });

  it('is left at once when the server no longer wants the answer', async () => {
    const controller = new AbortController();
    const model = scripted(['never']);
    const handler = answerSampling(model, { approve: () => new Promise(() => {}) });
    const first = handler(hello, { signal: controller.signal });
    const waiting = handler(hello, { signal: controller.signal });
    const reason = new Error('withdrawn');
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    // Nothing is held: the next one has its turn.
    const handled = answerSampling(scripted(['x']), { approve: 'always' });
    await expect(handled(hello, { signal: new AbortController().signal })).resolves.toBeDefined();
  });

  it('has to be there', () => {
    const model = scripted([]);
    expect(() => answerSampling(model, {} as never)).toThrow('approve must be a function');
    expect(() => answerSampling(model, undefined as never)).toThrow('approve must be a function');
    expect(() => answerSampling(model, { approve: 'always', maxRequests: 0 })).toThrow('maxRequests');
    expect(() => answerSampling({} as never, { approve: 'always' })).toThrow('model must be a model');
  });
});
