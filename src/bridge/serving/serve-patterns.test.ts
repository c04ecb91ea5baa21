import { describe, expect, it } from 'vitest';
import type { Model } from '../../models/model.ts';
import { compileSchema } from '../../schema/compile.ts';
import { type ScriptedStep, scripted } from '../../testing/scripted.ts';
import { type Tool, type ToolResult, tool } from '../../tools/tool.ts';
import { call, context, failureOf, modelError, serve } from './fixtures/direct-call.ts';
import { say, usage } from './fixtures/patterns.ts';
import { servePatterns } from './serve-patterns.ts';

const textOf = (result: ToolResult): string =>
  result.content.map(block => ('text' in block ? block.text : '')).join();

describe('servePatterns', () => {
  it('gives both tools, or those that are asked for', () => {
    const model = scripted([]);
    expect(servePatterns({ model }).map(({ name }) => name)).toEqual(['consensus', 'react_loop']);
    expect(servePatterns({ model, patterns: ['react_loop'] }).map(({ name }) => name)).toEqual([
      'react_loop',
    ]);
    for (const options of [{}, undefined, { model: 'gpt' }]) {
      expect(() => servePatterns(options as never)).toThrow(
        /^servePatterns: model must be a model, such as /,
      );
    }
    expect(() => servePatterns({ model, patterns: ['pipe' as never] })).toThrow(/there is no pattern "pipe"/);
  });

  it('says in react_loop that callers cannot register tools, and which there are', () => {
    const { react } = serve(scripted([]));
    expect(react.description).toContain('callers cannot register or choose tools');
    expect(react.description).toContain('calculator, echo');
  });

  it('shows plain schemas with bounds, defaults and no other properties', () => {
    const { consensus, react } = serve(scripted([]));
    expect(compileSchema(consensus.input).json).toMatchObject({
      type: 'object',
      properties: {
        prompt: { type: 'string' },
        n: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
        strategy: { enum: ['majority', 'unanimous'], default: 'majority' },
        temperature: { type: 'number', minimum: 0, maximum: 2 },
      },
      required: ['prompt'],
      additionalProperties: false,
    });
    expect(compileSchema(react.input).json).toMatchObject({
      properties: { max_rounds: { type: 'integer', minimum: 1, maximum: 8, default: 5 } },
      required: ['prompt'],
      additionalProperties: false,
    });
    for (const served of [consensus, react]) {
      const { json } = compileSchema(served.input);
      expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    }
  });
});

describe('the arguments of served patterns', () => {
  const { consensus, react } = serve(scripted([]));
  const judge = async (served: Tool, args: object): Promise<unknown> => {
    const verdict = await compileSchema(served.input).validate(args);
    return verdict.ok ? verdict.value : verdict.issues.map(issue => issue.path.join('.'));
  };
  it.each([
    ['prompt', {}],
    ['prompt', { prompt: 7 }],
    ['prompt', { prompt: null }],
    ['n', { prompt: 'p', n: 0 }],
    ['n', { prompt: 'p', n: 10 }],
    ['n', { prompt: 'p', n: 2.5 }],
    ['n', { prompt: 'p', n: true }],
    ['n', { prompt: 'p', n: '3' }],
    ['strategy', { prompt: 'p', strategy: 'most' }],
    ['strategy', { prompt: 'p', strategy: ['majority'] }],
    ['temperature', { prompt: 'p', temperature: 2.1 }],
    ['temperature', { prompt: 'p', temperature: -0.1 }],
    ['temperature', { prompt: 'p', temperature: false }],
    ['samples', { prompt: 'p', samples: 3 }],
  ])('%s is named when it does not fit: %j', async (field, args) => {
    expect(await judge(consensus, args)).toEqual([field]);
  });
  it.each([{ max_rounds: 0 }, { max_rounds: 9 }, { max_rounds: 'x' }])('%j is out of bounds', async args => {
    expect(await judge(react, { prompt: 'p', ...args })).toEqual(['max_rounds']);
  });
  it('may be null where they may be left out', async () => {
    const args = { prompt: 'p', n: null, strategy: null, temperature: null };
    expect(await judge(consensus, args)).toEqual({ prompt: 'p' });
    expect(await judge(react, { prompt: 'p', max_rounds: null })).toEqual({ prompt: 'p' });
  });
  it('are checked before there is a model: a blank prompt too', async () => {
    let asked = 0;
    const served = serve(() => {
      asked += 1;
      throw modelError({ kind: 'configuration' });
    });
    for (const each of [served.consensus, served.react]) {
      expect((await failureOf(call(each, { prompt: ' \n' }))).message).toContain('prompt must not be blank');
    }
    expect(asked).toBe(0);
  });
});

describe('the tool consensus', () => {
  it('answers with text for people and data for programs', async () => {
    const { consensus } = serve(scripted([say('No'), say(' 42 '), say('42')]));
    const result = await call(consensus, { prompt: ' p ' });
    expect(textOf(result)).toBe(
      [
        ' 42 ',
        '',
        'agreement: 0.6666666666666666',
        'distinct answers: 2',
        'cost: 30 input tokens, 6 output tokens, 3 model calls',
      ].join('\n'),
    );
    expect(result.structuredContent).toEqual({
      answer: ' 42 ',
      agreement: 2 / 3,
      distinctAnswers: 2,
      notes: [],
      usage: { inputTokens: 30, outputTokens: 6, calls: 3 },
    });
  });

  it('passes prompt, count and temperature on as they are', async () => {
    const model = scripted([say('a')], { cycle: true });
    const { consensus } = serve(model);
    await call(consensus, { prompt: ' p ', n: 1, temperature: 0 });
    await call(consensus, { prompt: 'q', n: 1 });
    expect(model.requests).toEqual([
      { messages: [{ role: 'user', content: ' p ' }], temperature: 0 },
      { messages: [{ role: 'user', content: 'q' }], temperature: 0.9 },
    ]);
  });

  it('reports progress per sample', async () => {
    const { ctx, progress } = context();
    await call(serve(scripted([say('a')], { cycle: true })).consensus, { prompt: 'p', n: 2 }, ctx);
    expect(progress).toEqual([
      { done: 0, total: 2 },
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  it('stops spending when the call is cancelled', async () => {
    const controller = new AbortController();
    let dispatched = 0;
    const model: Model = {
      name: 'deaf',
      async *respond(_request, options) {
        options?.onAttempt?.({ model: 'deaf', number: 1 });
        dispatched += 1;
        if (dispatched === 5) controller.abort(new Error('client left'));
        await new Promise<never>(() => undefined);
        yield { type: 'text', text: 'never' };
      },
    };
    const run = call(serve(model).consensus, { prompt: 'p', n: 9 }, context(controller.signal).ctx);
    expect((await failureOf(run)).data).toMatchObject({ kind: 'aborted', cost: { calls: 5 } });
    expect(dispatched).toBe(5);
  });
});

describe('the tool react_loop', () => {
  const compute: ScriptedStep = {
    toolCalls: [{ name: 'calculator', arguments: { expression: '6 * 7' } }],
    usage,
  };
  it('works with its own tools and says what it did', async () => {
    const { ctx, progress } = context();
    const { react } = serve(scripted([compute, say('It is 42.')]));
    const result = await call(react, { prompt: 'p' }, ctx);
    expect(textOf(result)).toBe(
      'It is 42.\n\nrounds: 2\ntool calls: 1\ncost: 20 input tokens, 4 output tokens, 2 model calls',
    );
    expect(result.structuredContent).toEqual({
      answer: 'It is 42.',
      rounds: 2,
      toolCalls: 1,
      notes: [],
      usage: { inputTokens: 20, outputTokens: 4, calls: 2 },
    });
    expect(progress).toEqual([
      { done: 0, total: 5 },
      { done: 1, total: 5 },
      { done: 2, total: 5 },
    ]);
  });
  it('uses the tools that the server was given instead', async () => {
    const clock = tool({ name: 'clock', description: '', run: () => 'noon' });
    const model = scripted([{ toolCalls: [{ name: 'clock' }] }, say('noon')]);
    const { react } = serve(model, { tools: [clock] });
    await call(react, { prompt: 'p' });
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['clock']);
  });
  it('fails when its rounds are used up, with rounds and cost', async () => {
    const error = await failureOf(
      call(serve(scripted([compute], { cycle: true })).react, { prompt: 'p', max_rounds: 2 }),
    );
    expect(error.message).toContain('no final answer after 2 rounds. Raise max_rounds');
    expect(error.message).toContain('spent: 20 input tokens, 4 output tokens, 2 model calls');
    expect(error.data).toEqual({
      kind: 'rounds-exhausted',
      retryable: true,
      cost: { inputTokens: 20, outputTokens: 4, calls: 2 },
      evidence: { rounds: 2, toolCalls: 2 },
    });
  });
});
