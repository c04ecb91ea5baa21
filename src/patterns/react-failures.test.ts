import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import type { Model } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { type ScriptedCall, type ScriptedResponse, scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { Budget } from './budget/budget.ts';
import type { TraceEvent } from './contract/trace.ts';
import { calculator, demoTools, type echo } from './demo-tools/demo-tools.ts';
import { failureOf } from './fixtures/pattern-failure.ts';
import { type ReactOptions, reactLoop } from './react.ts';

const usage = { inputTokens: 10, outputTokens: 2 };
const tools = demoTools;

const call = (name: string, args: unknown): ScriptedCall => ({ name, arguments: args });
const calls = (...toolCalls: ScriptedCall[]): ScriptedResponse => ({ toolCalls, usage });
const say = (text: string): ScriptedResponse => ({ text, usage });
const compute = (expression: string): ScriptedResponse => calls(call('calculator', { expression }));

const simple = (name: string, run: () => unknown): typeof echo =>
  tool({
    name,
    description: '',
    input: { type: 'object' },
    run: run as () => string,
  }) as unknown as typeof echo;

describe('reactLoop fails', () => {
  it('when the rounds are used up: with the cost and the whole transcript', async () => {
    const model = scripted([compute('1')], { cycle: true });
    const error = await failureOf(reactLoop(model, 'p', { tools, maxRounds: 3 }));
    expect(error).toMatchObject({
      kind: 'rounds-exhausted',
      cost: { inputTokens: 30, outputTokens: 6, calls: 3 },
      evidence: { rounds: 3, toolCalls: 3, terminationReason: 'rounds-exhausted' },
    });
    expect(error.evidence['messages']).toHaveLength(7);
    expect(error.message).toContain('within 3 rounds; raise maxRounds');
  });

  it('when the model fails: with the cost of failed attempts too', async () => {
    const used = { inputTokens: 5, outputTokens: 0, requests: 3 };
    const down = new ModelError('down', { kind: 'server', provider: 'x', usage: used });
    const error = await failureOf(reactLoop(scripted([compute('1'), down]), 'p', { tools }));
    expect(error).toMatchObject({
      kind: 'run-failed',
      cost: { inputTokens: 15, outputTokens: 2, calls: 4 },
      evidence: { rounds: 2, toolCalls: 1 },
      cause: { stage: 'model', cause: down },
    });
  });

  it('when the model refuses', async () => {
    const model = scripted([{ text: 'No.', finish: 'refusal' }]);
    expect(await failureOf(reactLoop(model, 'p', { tools }))).toMatchObject({ kind: 'refused' });
  });

  it('when the budget is used up, before the request that would pass it', async () => {
    const budget = new Budget({ calls: 2 });
    const model = scripted([compute('1')], { cycle: true });
    const error = await failureOf(reactLoop(model, 'p', { tools, budget }));
    expect(error).toMatchObject({ kind: 'budget', cost: { calls: 2 }, cause: { kind: 'calls', limit: 2 } });
    expect(model.requests).toHaveLength(2);
    expect(error.evidence['messages']).toHaveLength(5);
  });

  it('when the time of the budget is over while the model thinks', async () => {
    const clock = manualClock();
    const budget = new Budget({ ms: 50 }, clock);
    const model: Model = {
      name: 'deaf',
      async *respond(_request, options) {
        options?.onAttempt?.({ model: 'deaf', number: 1 });
        clock.advance(50);
        await new Promise<never>(() => undefined);
        yield { type: 'text', text: 'never' };
      },
    };
    const error = await failureOf(reactLoop(model, 'p', { tools, budget }));
    expect(error).toMatchObject({ kind: 'budget', cause: { kind: 'ms' }, cost: { calls: 1 } });
    expect(clock.pending).toBe(0);
  });

  it('when the caller aborts, at once, and spends nothing more', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const stuck = simple('stuck', () => {
      controller.abort(reason);
      return new Promise(() => undefined);
    });
    const model = scripted([calls(call('stuck', {})), say('never')]);
    const error = await failureOf(reactLoop(model, 'p', { tools: [stuck], signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', name: 'AbortError', cost: { calls: 1 } });
    expect(error.cause).toBe(reason);
    expect(model.remaining).toBe(1);
  });
});

describe('reactLoop checks its arguments before anything is spent', () => {
  it.each<[string, Partial<ReactOptions>]>([
    ['maxRounds must be an integer of at least 1, got 0', { maxRounds: 0 }],
    ['maxObservation must be an integer of at least 1, got 1.5', { maxObservation: 1.5 }],
    ['maxCallsPerRound must be an integer of at least 1, got 0', { maxCallsPerRound: 0 }],
    ['concurrency must be an integer of at least 1, got 0', { concurrency: 0 }],
    ['maxTokens must be an integer of at least 1, got -1', { maxTokens: -1 }],
    ['toolTimeout must be a number of milliseconds above 0, got 0', { toolTimeout: 0 }],
    ['temperature must be a number from 0 to 2, got 3', { temperature: 3 }],
    ['tools must be a list of tools; it may be empty', { tools: undefined as never }],
  ])('%s', async (message, options) => {
    const model = scripted([say('x')]);
    const run = reactLoop(model, 'p', { tools, ...options });
    await expect(run).rejects.toThrow(new TypeError(`reactLoop: ${message}`));
    expect(model.requests).toEqual([]);
  });
  it.each([
    ['a blank prompt', ' ', /prompt must be a string that is not blank/],
    ['no message', [], /the conversation must have a message/],
    ['a message that is none', [{ role: 'robot', content: '' }], /history\[0\] is not a message/],
  ])('%s', async (_what, prompt, message) => {
    const model = scripted([say('x')]);
    const run = reactLoop(model, prompt as string, { tools });
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toBeInstanceOf(TypeError);
    expect(model.requests).toEqual([]);
  });
  it('two tools of one name', async () => {
    const run = reactLoop(scripted([]), 'p', { tools: [calculator, calculator] });
    await expect(run).rejects.toThrow(/two tools are named "calculator"/);
  });
});

describe('tracing reactLoop', () => {
  const trace = async (options: Partial<ReactOptions>): Promise<TraceEvent[]> => {
    const events: TraceEvent[] = [];
    const model = scripted([compute('2 * 3'), say('six')]);
    await reactLoop(model, 'p', { tools, ...options, onTrace: event => events.push(event) });
    return events;
  };
  it('shows models and tools in order, with names of arguments and no content', async () => {
    const events = await trace({});
    expect(events.map(event => event.type)).toEqual([
      'llm-start',
      'llm-end',
      'tool-start',
      'tool-end',
      'llm-start',
      'llm-end',
    ]);
    expect(events[2]).toEqual({
      type: 'tool-start',
      id: 'call_1',
      name: 'calculator',
      arguments: { expression: '[masked]' },
    });
    expect(events[3]).toMatchObject({ type: 'tool-end', isError: false, result: '[1 characters]' });
    expect(JSON.stringify(events)).not.toContain('2 * 3');
  });
  it('shows content when asked to', async () => {
    const events = await trace({ traceContent: true });
    expect(events[2]).toMatchObject({ arguments: { expression: '2 * 3' } });
    expect(events[3]).toMatchObject({ result: '6' });
    expect(events[5]).toMatchObject({ text: 'six' });
  });
  it('cannot make it fail', async () => {
    const model = scripted([compute('1'), say('done')]);
    const onTrace = (): never => {
      throw new Error('observer');
    };
    await expect(reactLoop(model, 'p', { tools, onTrace, onProgress: onTrace })).resolves.toMatchObject({
      value: 'done',
    });
  });
});
