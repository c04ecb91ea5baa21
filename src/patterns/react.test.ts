import { describe, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import type { ModelMessage, ModelRequest } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { type ScriptedCall, type ScriptedResponse, scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { demoTools, type echo } from './demo-tools/demo-tools.ts';
import { reactLoop } from './react.ts';

const usage = { inputTokens: 10, outputTokens: 2 };
const tools = demoTools;

const call = (name: string, args: unknown): ScriptedCall => ({ name, arguments: args });
const calls = (...toolCalls: ScriptedCall[]): ScriptedResponse => ({ toolCalls, usage });
const say = (text: string): ScriptedResponse => ({ text, usage });
const compute = (expression: string): ScriptedResponse => calls(call('calculator', { expression }));

/** What the tools answered, in order. */
const observations = (messages: readonly ModelMessage[]): unknown[] =>
  messages.filter(message => message.role === 'tool').map(message => message.content);

const simple = (name: string, run: () => unknown): typeof echo =>
  tool({
    name,
    description: '',
    input: { type: 'object' },
    run: run as () => string,
  }) as unknown as typeof echo;

describe('reactLoop', () => {
  it('uses tools until the model answers without any', async () => {
    const model = scripted([compute('17 * 83'), say('It is 1411.')]);
    const result = await reactLoop(model, ' How much is 17 x 83? ', { tools });
    expect(result).toMatchObject({
      value: 'It is 1411.',
      score: undefined,
      cost: { inputTokens: 20, outputTokens: 4, calls: 2 },
      evidence: {
        rounds: 2,
        toolCalls: 1,
        rejectedToolCalls: 0,
        truncatedObservations: 0,
        truncatedResponses: 0,
        terminationReason: 'answered',
        notes: [],
      },
    });
    expect(result.evidence.messages.map(message => message.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(result.evidence.messages[0]?.content).toBe(' How much is 17 x 83? ');
    expect(observations(result.evidence.messages)).toEqual(['1411']);
    for (const part of [result, result.cost, result.evidence, result.evidence.messages]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('sends its own temperature of 0.3, or the one it is given, and a token limit only when it is given', async () => {
    const model = scripted([say('a'), say('b')]);
    await reactLoop(model, 'p', { tools });
    await reactLoop(model, 'p', { tools, temperature: 1, maxTokens: 5 });
    expect(model.requests[0]).toMatchObject({ temperature: 0.3 });
    expect(model.requests[0]).not.toHaveProperty('maxTokens');
    expect(model.requests[1]).toMatchObject({ temperature: 1, maxTokens: 5 });
  });

  it('drops its own temperature once when the model refuses it, notes it and counts the call', async () => {
    const refuse = (request: ModelRequest): ScriptedResponse | Error =>
      request.temperature === undefined
        ? say('done')
        : new ModelError('temperature is not supported', { kind: 'invalid-request', provider: 'x' });
    const model = scripted([refuse, () => compute('1'), refuse]);
    const { cost, evidence } = await reactLoop(model, 'p', { tools });
    expect(model.requests.map(request => request.temperature)).toEqual([0.3, undefined, undefined]);
    expect(cost.calls).toBe(3);
    expect(evidence.notes).toEqual(['the model refuses a temperature; its default is used instead of 0.3']);
  });

  it('goes on from a conversation without changing it', async () => {
    const model = scripted([compute('1 + 1'), say('two')]);
    const conversation: readonly ModelMessage[] = Object.freeze([
      Object.freeze({ role: 'system', content: 'Be brief.' } as const),
      Object.freeze({ role: 'user', content: 'One and one?' } as const),
    ]);
    const { evidence } = await reactLoop(model, conversation, { tools });
    expect(model.requests[0]?.messages).toEqual(conversation);
    expect(conversation).toHaveLength(2);
    expect(evidence.messages).toHaveLength(5);
    const next = scripted([say('four')]);
    await reactLoop(next, [...evidence.messages, { role: 'user', content: 'And two more?' }], { tools });
    expect(next.requests[0]?.messages).toHaveLength(6);
  });

  it('reports progress per round', async () => {
    const progress: unknown[] = [];
    const model = scripted([compute('1'), compute('2'), say('done')]);
    await reactLoop(model, 'p', { tools, maxRounds: 4, onProgress: step => progress.push(step) });
    expect(progress).toEqual([
      { done: 1, total: 4 },
      { done: 2, total: 4 },
      { done: 3, total: 4 },
    ]);
  });

  it('notes a blank answer', async () => {
    const { value, evidence } = await reactLoop(scripted([say(' ')]), 'p', { tools });
    expect(value).toBe(' ');
    expect(evidence.notes).toEqual(['the final answer is blank']);
  });
});

describe('in reactLoop every failure of a tool is an observation', () => {
  it('unknown tools, unusable arguments, tool errors and exceptions alike, however often', async () => {
    const broken = simple('broken', () => {
      throw new Error('disk on fire');
    });
    const model = scripted([
      calls(call('nothing', {}), call('calculator', '{"expression":'), call('calculator', { expr: '1' })),
      ...Array.from({ length: 5 }, () =>
        calls(call('calculator', { expression: '1/0' }), call('broken', {})),
      ),
      say('gave up'),
    ]);
    const { value, evidence } = await reactLoop(model, 'p', { tools: [...tools, broken] });
    expect(value).toBe('gave up');
    expect(evidence).toMatchObject({ rounds: 7, toolCalls: 12, rejectedToolCalls: 3 });
    const seen = observations(evidence.messages);
    expect(seen[0]).toContain('There is no tool named "nothing"');
    expect(seen[1]).toContain('not valid JSON');
    expect(seen[2]).toContain('expression');
    expect(seen[3]).toBe('division by zero');
    expect(seen[4]).toContain('disk on fire');
  });

  it('a tool that takes too long: its own timeout, else 30 seconds', async () => {
    const clock = manualClock();
    const slow = simple('slow', () => {
      clock.advance(30_000);
      return new Promise(() => undefined);
    });
    const model = scripted([calls(call('slow', {})), say('done')]);
    const { evidence } = await reactLoop(model, 'p', { tools: [slow], clock });
    expect(observations(evidence.messages)[0]).toContain('did not finish within 30000 ms');
    expect(clock.pending).toBe(0);
  });

  it('long results, cut within the limit and counted', async () => {
    const long = simple('long', () => 'x'.repeat(20_000));
    const script = (): ReturnType<typeof scripted> => scripted([calls(call('long', {})), say('done')]);
    const first = await reactLoop(script(), 'p', { tools: [long] });
    expect(String(observations(first.evidence.messages)[0])).toHaveLength(12_000);
    expect(first.evidence.truncatedObservations).toBe(1);
    const second = await reactLoop(script(), 'p', { tools: [long], maxObservation: 3 });
    expect(observations(second.evidence.messages)).toEqual(['xxx']);
  });

  it('calls beyond the limit of a round, each answered unrun', async () => {
    const many = Array.from({ length: 40 }, (_, index) => call('echo', { text: String(index) }));
    const model = scripted([calls(...many), say('done')]);
    const { evidence } = await reactLoop(model, 'p', { tools });
    const seen = observations(evidence.messages);
    expect(seen).toHaveLength(40);
    expect(seen[31]).toBe('31');
    expect(seen[32]).toContain('at most 32');
    expect(evidence).toMatchObject({ toolCalls: 32, rejectedToolCalls: 8 });
  });

  it('with no more tools at once than its concurrency, and results in the order of the calls', async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const counting = tool({
      name: 'counting',
      description: '',
      input: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
      async run({ at }) {
        running += 1;
        most = Math.max(most, running);
        // The last one of each pair that may run opens both, in reverse.
        await new Promise<void>(resolve => {
          release.push(resolve);
          if (release.length === 2) for (const open of release.splice(0).reverse()) open();
        });
        running -= 1;
        return String(at);
      },
    });
    const model = scripted([calls(...[0, 1, 2, 3].map(at => call('counting', { at }))), say('done')]);
    const { evidence } = await reactLoop(model, 'p', { tools: [counting], concurrency: 2 });
    expect(most).toBe(2);
    expect(observations(evidence.messages)).toEqual(['0', '1', '2', '3']);
  });
});
