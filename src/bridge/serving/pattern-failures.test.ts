import { describe, expect, it, vi } from 'vitest';
import type { ModelFacts } from '../../models/model-error.ts';
import { Budget } from '../../patterns/budget/budget.ts';
import { compileSchema } from '../../schema/compile.ts';
import { scripted } from '../../testing/scripted.ts';
import { call, failureOf, modelError, serve } from './fixtures/direct-call.ts';
import { say } from './fixtures/patterns.ts';

describe('known failures are told with a safe message and their cost', () => {
  it('disagreement, with the answers, cut to a bearable length', async () => {
    const { consensus } = serve(scripted([say('a'), say('b'.repeat(600))]));
    const error = await failureOf(call(consensus, { prompt: 'p', n: 2, strategy: 'unanimous' }));
    expect(error.message).toContain('there are 2 different ones');
    expect(error.data).toEqual({
      kind: 'disagreement',
      retryable: true,
      cost: { inputTokens: 20, outputTokens: 4, calls: 2 },
      evidence: {
        distinctAnswers: 2,
        counts: [
          { answer: 'a', count: 1 },
          { answer: `${'b'.repeat(499)}…`, count: 1 },
        ],
      },
    });
  });

  it('a budget of the server that is used up, over all calls', async () => {
    const { consensus } = serve(scripted([say('a')], { cycle: true }), { budget: new Budget({ calls: 4 }) });
    await call(consensus, { prompt: 'p' });
    const error = await failureOf(call(consensus, { prompt: 'p' }));
    expect(error.message).toContain('the budget of this server forbids another model call (calls: 4 of 4)');
    expect(error.data).toMatchObject({ kind: 'budget', retryable: false, cost: { calls: 1 } });
  });

  it.each<[string, Partial<ModelFacts>, RegExp, object]>([
    [
      'a rate limit',
      { kind: 'rate-limit', retryable: true, retryAfterMs: 1500 },
      /limits how often/,
      { retryable: true, retryAfterMs: 1500 },
    ],
    ['a bad key', { kind: 'auth' }, /refused the API key/, { retryable: false }],
    ['a refused request', { kind: 'invalid-request' }, /refused the request as it is/, { retryable: false }],
    ['a fault', { kind: 'server', retryable: true }, /had a fault/, { retryable: true }],
    ['no connection', { kind: 'transport', retryable: true }, /could not be reached/, { retryable: true }],
    ['no such model', { kind: 'invalid-request', status: 404 }, /refused the request/, { retryable: false }],
    [
      'a page in place of an answer',
      { kind: 'decode' },
      /did not answer with what this API sends.*TENON_BASE_URL/,
      { retryable: false },
    ],
    [
      'a redirect',
      { kind: 'configuration', status: 302 },
      /sends requests elsewhere.*TENON_BASE_URL/,
      { retryable: false },
    ],
    ['no answer in time', { kind: 'timeout', retryable: true }, /in time/, { retryable: true }],
  ])(
    '%s, in both tools, and to whoever runs the server under the same reference',
    async (_what, facts, message, data) => {
      const failing = { ...facts, usage: { inputTokens: 1, outputTokens: 0, requests: 3 } };
      const logged: [string, unknown][] = [];
      const options = { onError: (reference: string, error: unknown) => logged.push([reference, error]) };
      const served = serve(scripted([modelError(failing)], { cycle: true }), options);
      for (const run of [
        call(served.consensus, { prompt: 'p', n: 1 }),
        call(served.react, { prompt: 'p' }),
      ]) {
        const error = await failureOf(run);
        expect(error.message).toMatch(message);
        expect(error.message).not.toContain('sk-12345');
        expect(JSON.stringify(error.data)).not.toContain('sk-12345');
        const cost = { inputTokens: 1, outputTokens: 0, calls: 3 };
        const [reference, told] = logged.shift() ?? ['none'];
        expect(error.data).toMatchObject({ kind: facts.kind, cost, reference, ...data });
        expect(error.message).toContain(`reference ${reference}`);
        expect(told).toMatchObject({ name: 'ModelError', kind: facts.kind });
      }
      expect(logged).toEqual([]);
    },
  );

  it('a refusal of the model, and a configuration that lacks something, to the caller alone', async () => {
    const logged: unknown[] = [];
    const options = { onError: (_reference: string, error: unknown) => logged.push(error) };
    for (const [kind, words] of [
      ['refused', /declined to answer/],
      ['configuration', /key sk-12345 is not valid/],
    ] as const) {
      const { react } = serve(scripted([modelError({ kind })]), options);
      const error = await failureOf(call(react, { prompt: 'p' }));
      expect(error.message).toMatch(words);
      expect(error.data).toMatchObject({ kind, retryable: false });
    }
    expect(logged).toEqual([]);
  });

  it('a temperature that the model does not take', async () => {
    const refused = modelError({ kind: 'invalid-request' }, "'temperature' does not support 1.5");
    const { consensus } = serve(scripted([refused]));
    const error = await failureOf(call(consensus, { prompt: 'p', n: 1, temperature: 1.5 }));
    expect(error.message).toContain('leave temperature out');
  });

  it('a blank answer', async () => {
    const error = await failureOf(call(serve(scripted([say(' ')])).consensus, { prompt: 'p', n: 1 }));
    expect(error.message).toContain('the model gave a blank answer');
    expect(error.data).toMatchObject({ kind: 'blank', retryable: true, cost: { calls: 1 } });
  });

  it('with data that fits the schema of results, for clients that check it', async () => {
    const { consensus, react } = serve(scripted([modelError({ kind: 'auth' })], { cycle: true }));
    for (const served of [consensus, react]) {
      const { data } = await failureOf(call(served, { prompt: 'p' }));
      expect(await compileSchema(served.output ?? {}).validate(data)).toMatchObject({ ok: true });
      expect(await compileSchema(served.output ?? {}).validate({})).toMatchObject({ ok: false });
    }
  });
});

describe('the model', () => {
  it('is asked for at each call until there is one, and what is missing is named', async () => {
    let configured = false;
    let asked = 0;
    const { consensus } = serve(() => {
      asked += 1;
      if (configured) return scripted([say('a')], { cycle: true });
      throw modelError({ kind: 'configuration' }, 'TENON_BASE_URL and TENON_MODEL are not set');
    });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const error = await failureOf(call(consensus, { prompt: 'p' }));
      expect(error.message).toContain('TENON_BASE_URL and TENON_MODEL are not set');
      expect(error.data).toMatchObject({ kind: 'configuration', retryable: false, cost: { calls: 0 } });
      expect(asked).toBe(attempt);
    }
    configured = true;
    await call(consensus, { prompt: 'p' });
    await call(consensus, { prompt: 'p' });
    expect(asked).toBe(3);
  });
  it('is asked for once by calls that come together', async () => {
    let asked = 0;
    const served = serve(async () => {
      asked += 1;
      return scripted([say('a')], { cycle: true });
    });
    await Promise.all([call(served.consensus, { prompt: 'p' }), call(served.react, { prompt: 'p' })]);
    expect(asked).toBe(1);
  });
});

describe('a failure that nobody knows', () => {
  it('gives the caller a reference, whoever runs the server the detail, and keeps the cost', async () => {
    const bug = new Error('secret detail');
    const logged: [string, unknown][] = [];
    const { consensus } = serve(scripted([bug]), {
      onError: (reference, error) => logged.push([reference, error]),
    });
    const error = await failureOf(call(consensus, { prompt: 'p', n: 1 }));
    const [reference, detail] = logged[0] ?? [];
    expect(error.message).toContain(`under the reference ${reference}`);
    expect(error.message).not.toContain('secret detail');
    expect(error.data).toMatchObject({ kind: 'internal', retryable: false, reference, cost: { calls: 1 } });
    expect(detail).toMatchObject({ cause: bug });
  });
  it('is told on standard error when nobody else listens', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      const served = serve(scripted([new Error('secret detail')]), { onError: undefined });
      const { reference } = (await failureOf(call(served.react, { prompt: 'p' }))).data as {
        reference: string;
      };
      expect(told.mock.calls).toEqual([[expect.stringMatching(`^${reference}: [^]*secret detail`)]]);
      const refused = serve(
        scripted([modelError({ kind: 'auth', hint: 'Look at it.' }, 'bad key sk-12345678\nand more')]),
        { onError: undefined },
      );
      await failureOf(call(refused.react, { prompt: 'p' }));
      expect(told.mock.calls[1]).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}: auth: bad key \*\*\* \(Look at it\.\)$/),
      ]);
    } finally {
      told.mockRestore();
    }
  });
  it('does so even when the listener fails', async () => {
    const broken = (): never => {
      throw new Error('log is full');
    };
    for (const options of [{ onError: broken }]) {
      const served = serve(scripted([new Error('x')]), options);
      expect((await failureOf(call(served.react, { prompt: 'p' }))).message).toContain('internal failure');
    }
  });
});
