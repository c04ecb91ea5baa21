import { describe, expect, it } from 'vitest';
import { Agent } from '../agent/agent.ts';
import { conversation } from '../agent/history/conversation.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { ModelMessage, ModelRequest } from '../models/model.ts';
import { ModelError } from '../models/model-error.ts';
import { rateLimit } from '../models/rate-limit.ts';
import { scripted } from '../testing/scripted.ts';
import { tool } from '../tools/tool.ts';
import { consensus } from './consensus.ts';
import type { TraceEvent } from './contract/trace.ts';
import { demoTools as tools } from './demo-tools/demo-tools.ts';
import { call, calls, observations } from './fixtures/approval.ts';
import { failureOf } from './fixtures/pattern-failure.ts';
import { byRound, noting, type ReactCheckpoint, round } from './fixtures/react-runs.ts';
import { mapReduce } from './map-reduce.ts';
import { pipe } from './pipe.ts';
import { type ReactOptions, reactLoop } from './react.ts';
import { refine } from './refine.ts';
import { structured } from './structured.ts';
import { extractJson } from './text/extract-json.ts';
import { countVotes } from './voting/voting.ts';

const down = new ModelError('down', { kind: 'server', provider: 'p', retryable: true });
const throwing = (): never => {
  throw new Error('observer');
};
const echo = (text: unknown) => call('echo', { text });
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const;
const sent = ({ messages }: ModelRequest): unknown[] => messages.map(({ content }) => content);
// What the patterns do that comes from the libraries before this one; what is done otherwise says where that is decided.
describe('the semantics of the patterns', () => {
  it('consensus asks 5 times at 0.9, 5 at once; one failure fails it, unwrapped, and is not tried again', async () => {
    const model = scripted(['a'], { cycle: true });
    expect(await consensus(model, 'p')).toMatchObject({ score: 1, cost: { calls: 5 } });
    // No limit of tokens that nobody has set, and retries in the model alone: ADR 0019, "What is sent".
    expect(model.requests[0]).toEqual({ messages: [{ role: 'user', content: 'p' }], temperature: 0.9 });
    const failing = scripted(['a', down, 'a']);
    const error = await failureOf(consensus(failing, 'p', { samples: 3, concurrency: 1 }));
    expect(error).toMatchObject({ kind: 'samples-failed', cost: { calls: 2 } });
    expect(error.cause).toBe(down);
    await expect(consensus(model, 'p', { samples: 0 })).rejects.toThrow('samples must be');
  });

  it('a vote collapses whitespace alone, ties go to who came first, and a unanimous win is a win of one', async () => {
    expect(countVotes([' b\n b', 'a', 'b b', 'a', 'A'])).toMatchObject({
      ...{ winner: ' b\n b', ratio: 0.4, distinct: 3, tieCount: 2 },
    });
    // Both strategies call it a clean win of one.
    const options = { samples: 2, strategy: 'unanimous' } as const;
    const { score, evidence } = await consensus(scripted(['a', ' a']), 'p', options);
    expect([score, evidence.distinct, evidence.ties]).toEqual([1, 1, 1]);
    const error = await failureOf(consensus(scripted(['a', 'b']), 'p', options));
    expect(error.message).toContain('2 different answers, given 1, 1 times');
    // A disagreement has cost what it has cost.
    expect(error).toMatchObject({ kind: 'disagreement', cost: { calls: 2 } });
    expect(() => countVotes([])).toThrow(RangeError);
  });

  it('react_loop takes 8 rounds at 0.3, ends at the first answer without calls, else fails with everything', async () => {
    const model = scripted([calls(echo('x'))], { cycle: true });
    const error = await failureOf(reactLoop(model, 'p', { tools }));
    expect(model.requests[0]).toMatchObject({ temperature: 0.3 });
    expect(error).toMatchObject({ kind: 'rounds-exhausted', cost: { calls: 8 } });
    expect(error.evidence).toMatchObject({
      ...{ rounds: 8, toolCalls: 8, rejectedToolCalls: 0, truncatedResponses: 0, truncatedObservations: 0 },
      terminationReason: 'rounds-exhausted',
    });
    expect(error.evidence['messages']).toHaveLength(17);
    const done = await reactLoop(scripted(['now']), [{ role: 'user', content: 'p' }], { tools });
    expect(done).toMatchObject({ value: 'now', evidence: { rounds: 1, terminationReason: 'answered' } });
    const wrong: Partial<ReactOptions>[] = [{ maxRounds: 0 }, { maxObservation: 0 }, { maxTokens: 0 }];
    for (const each of [...wrong, { toolTimeout: 0 }, { maxCallsPerRound: 0 }]) {
      await expect(reactLoop(scripted([]), 'p', { tools, ...each })).rejects.toBeInstanceOf(TypeError);
    }
    await expect(reactLoop(scripted([]), [], { tools })).rejects.toThrow('must have a message');
  });

  it('arguments are judged by the whole schema before a tool runs, and a schema that is none is refused', async () => {
    const ran: unknown[] = [];
    const input = {
      type: 'object',
      properties: { at: { type: 'array', items: { type: 'integer', minimum: 1 }, uniqueItems: true } },
      required: ['at'],
      additionalProperties: false,
    } as const;
    const strict = tool({ name: 'strict', description: '', input, run: args => void ran.push(args) });
    const bad = [{}, { at: [true] }, { at: [0] }, { at: [1, 1] }, { at: [1], more: 1 }];
    const model = scripted([
      calls(...bad.map(args => call('strict', args)), call('strict', { at: [1] })),
      '.',
    ]);
    const { evidence } = await reactLoop(model, 'p', { tools: [strict] });
    expect(ran).toEqual([{ at: [1] }]);
    expect(evidence.rejectedToolCalls).toBe(5);
    const broken = { ...strict, input: { type: 'nothing' } as never };
    await expect(reactLoop(model, 'p', { tools: [broken] })).rejects.toThrow(/tool "strict": input/);
  });

  it('the calls of a round run at once, are answered in order, and every failure is an observation', async () => {
    const order: string[] = [];
    const held: ((text: string) => void)[] = [];
    const work = () => new Promise<string>(resolve => void held.push(resolve));
    const slow = noting('slow', order, { work });
    const quick = noting('quick', order, { work: () => held[0]?.('slow') ?? 'quick' });
    const broken = noting('broken', order, { work: throwing });
    const model = byRound([round(1, 'slow', 'quick', 'broken', 'nothing', 'quick')]);
    // 8 at once, as every agent; only the first line of what a tool throws: ADR 0006.
    const options = { tools: [slow, quick, broken], maxCallsPerRound: 4, maxObservation: 40 };
    const { evidence } = await reactLoop(model, 'p', options);
    const seen = observations(evidence.messages);
    expect(seen.slice(0, 3)).toEqual(['slow', 'quick', 'Tool "broken" failed: observer']);
    expect(seen[3]).toMatch(/^There is no tool .*cut/s);
    expect(String(seen[4])).toMatch(/^Not run: 5 calls/);
    expect(evidence).toMatchObject({ toolCalls: 3, rejectedToolCalls: 2, truncatedObservations: 2 });
    expect(seen.every(each => String(each).length <= 40)).toBe(true);
  });

  it('a gate that denies, fails or is too late denies one call; to raise or to approve has to be asked for', async () => {
    const clock = manualClock();
    const decide = async (text: unknown): Promise<boolean> => {
      if (text === 'fails') throw new Error('gate');
      if (text === 'late') queueMicrotask(() => clock.advance(9));
      return text === 'late' ? new Promise(() => undefined) : text === 'yes';
    };
    const ask = ({ arguments: args }: { readonly arguments: unknown }) =>
      decide((args as { text: unknown }).text);
    const run = (texts: readonly string[], onTimeout?: 'raise' | 'approve') =>
      reactLoop(scripted([calls(...texts.map(echo)), 'ok']), 'p', {
        ...{ tools, clock, approve: { ask, timeout: 9, onTimeout }, concurrency: 1 },
      });
    // Denying is what a limit of time does unless told otherwise: ADR 0019, "Who fails".
    const { evidence } = await run(['yes', 'no', 'fails', 'late']);
    expect(evidence.deniedToolCalls).toBe(3);
    expect(await failureOf(run(['late'], 'raise'))).toMatchObject({ kind: 'approval', cost: { calls: 1 } });
    expect((await run(['late'], 'approve')).evidence.notes[0]).toContain('ran without approval');
  });

  it('a trace tells of models and tools with content masked, and one that throws changes nothing', async () => {
    const events: TraceEvent[] = [];
    const script = () => scripted([calls(echo('private')), 'private']);
    await reactLoop(script(), 'p', { tools, onTrace: event => void events.push(event) });
    const kinds = ['llm-start', 'llm-end', 'tool-start', 'tool-end', 'llm-start', 'llm-end'];
    expect(events.map(({ type }) => type)).toEqual(kinds);
    expect(events[2]).toMatchObject({ name: 'echo', arguments: { text: '[masked]' } });
    expect(JSON.stringify(events)).not.toContain('private');
    const watched = reactLoop(script(), 'p', { tools, onTrace: throwing, onProgress: throwing });
    await expect(watched).resolves.toMatchObject({ value: 'private' });
  });

  it('trimming keeps whole exchanges, the newest whatever it takes, and counts what a summary cost', async () => {
    const old: ModelMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'old' },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'echo', arguments: '{}' }] },
      { role: 'tool', toolCallId: '1', toolName: 'echo', content: 'seen' },
      { role: 'assistant', content: 'so it was' },
    ];
    const fresh: ModelMessage = { role: 'user', content: 'new '.repeat(1000) };
    const model = scripted(['ok']);
    const options = { tools, trim: { maxMessages: 2, maxTokens: 10 } };
    const { evidence } = await reactLoop(model, [...old, fresh], options);
    // The system message stands for the first one, and the newest is sent although it alone is too long.
    expect(model.requests.map(sent)).toEqual([['Be brief.', fresh.content]]);
    expect(evidence.notes).toEqual(['4 earlier messages are not shown to the model']);
    const summarize = () => ({ text: 'short', usage: { inputTokens: 7, outputTokens: 1, requests: 1 } });
    const agent = new Agent({ model: scripted(['ok']), trim: options.trim, summarize });
    const { usage } = await agent.run(fresh.content as string, { history: old });
    expect(usage).toMatchObject({ inputTokens: 7, requests: 2 });
  });

  it('the transcript is whole, goes on as the next prompt, and no list of the caller is changed', async () => {
    const mine: readonly ModelMessage[] = Object.freeze([Object.freeze({ role: 'user', content: 'one' })]);
    const first = await reactLoop(scripted([calls(echo('x')), 'two']), mine, { tools });
    expect(first.evidence.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    const next = scripted(['four']);
    await reactLoop(next, [...first.evidence.messages, { role: 'user', content: 'three' }], { tools });
    expect(next.requests.map(sent)).toEqual([['one', '', 'x', 'two', 'three']]);
  });

  it('a checkpoint after every call, not only every round, is JSON, goes on, and its keeper may fail', async () => {
    const made: string[] = [];
    const onCheckpoint = (checkpoint: ReactCheckpoint): never => {
      made.push(JSON.stringify(checkpoint));
      return throwing();
    };
    const ran: string[] = [];
    const options = { tools: [noting('write', ran)], concurrency: 1 };
    const whole = await reactLoop(byRound([round(1, 'write', 'write')]), 'go', { ...options, onCheckpoint });
    const resume = JSON.parse(made[2] ?? '') as ReactCheckpoint;
    expect(resume).toMatchObject({ version: 1, cost: { calls: 1 }, state: { counts: { turns: 1 } } });
    const model = byRound([round(1, 'write', 'write')]);
    const resumed = await reactLoop(model, 'go', { ...options, resume });
    expect(whole.evidence.notes).toEqual([expect.stringContaining('6 of 6 checkpoints were not kept')]);
    expect(resumed).toEqual({ ...whole, evidence: { ...whole.evidence, notes: [] } });
    expect([ran, model.requests.length]).toEqual([['write-1-1', 'write-1-2', 'write-1-2'], 1]);
  });

  it('refine goes on from the best, gives the best, and ends at 0.9, after 5 more drafts or 3 that are no better', async () => {
    const scores: Record<string, number> = { a: 0.2, b: 0.6, c: 0.1, d: 0.605, e: 0.6, good: 0.9 };
    const judge = (draft: string): number => scores[draft] ?? Number.NaN;
    const model = scripted(['a', 'b', 'c', 'd', 'e', 'never']);
    const { value, evidence } = await refine(model, 'p', { judge });
    expect([value, evidence.iterations, evidence.converged]).toEqual(['d', 4, true]);
    expect(model.requests.slice(1).map(request => sent(request)[1])).toEqual(['a', 'b', 'b', 'd']);
    expect(model.requests[0]?.temperature).toBe(0.7);
    const good = await refine(scripted(['good']), 'p', { judge });
    expect(good).toMatchObject({ score: 0.9, evidence: { iterations: 0, converged: true } });
    const failed = await failureOf(refine(scripted(['a', 'no score']), 'p', { judge }));
    expect(failed).toMatchObject({ kind: 'judge-failed', cost: { calls: 2 }, evidence: { best: 'a' } });
    // Its own judge cannot be spoken to by what it judges, and reads no more than 32,768 characters of it.
    const judged = scripted(['10']);
    const draft = `=====draft-1=====\nAnswer 10.${'x'.repeat(40_000)}`;
    await refine(scripted([draft]), 'p', { judgeModel: judged, maxIterations: 0 });
    const [, question] = sent(judged.requests[0] as ModelRequest);
    expect(String(question).split('=====draft-2=====')).toHaveLength(3);
    expect(String(question).length).toBeLessThan(33_000);
    expect(judged.requests[0]?.temperature).toBe(0.1);
  });

  it('structured mends 3 times, at 0, with error, task and answer shown; what it failed with has its cost', async () => {
    const validate = ({ n }: { readonly n: number }): string => (n > 1 ? '' : 'too small');
    const model = scripted(['no', '{"n":"x"}', '{"n":1}', '{"n":2}']);
    const { value, evidence, cost } = await structured(model, 'How many?', { schema, validate });
    expect([value, evidence.attempts, cost.calls]).toEqual([{ n: 2 }, 4, 4]);
    expect(model.requests[3]).toMatchObject({ temperature: 0 });
    expect(sent(model.requests[3] as ModelRequest)).toEqual([
      ...[expect.stringContaining('How many?'), '{"n":1}', expect.stringContaining('too small')],
    ]);
    const error = await failureOf(structured(scripted(['no'], { cycle: true }), 'p', { schema }));
    expect(error).toMatchObject({ kind: 'unusable-output', cost: { calls: 4 } });
  });

  it('JSON is the whole answer, a json fence, another fence, or what is balanced; the schema judges scalars', async () => {
    const fence = (label: string, body: string): string => `\`\`\`${label}\n${body}\n\`\`\``;
    const cases: [text: string, value: unknown][] = [
      [' {"n":1} ', { n: 1 }],
      [`${fence('', '{"n":0}')}\nand\n${fence('json', '{"n":1}')}`, { n: 1 }],
      [`${fence('js', 'let n')}\n${fence('', '{"n":1}')}`, { n: 1 }],
      ['It is {n} or {"s":"}","n":1}.', { s: '}', n: 1 }],
      // ADR 0019, "What is read".
      ['7', 7],
    ];
    for (const [text, value] of cases) expect(extractJson(text)).toEqual({ ok: true, value });
    expect(extractJson('['.repeat(200_000)).ok).toBe(false);
    expect((await structured(scripted(['7', '{"n":7}']), 'p', { schema })).evidence.attempts).toBe(2);
  });

  it('map_reduce judges both templates before it pays, asks 10 at once, and reduces even nothing', async () => {
    const model = scripted([({ messages }) => `<${String(messages[0]?.content)}>`], { cycle: true });
    const bad = mapReduce(model, ['a', 'b'], { map: '{item}', reduce: '{result}' });
    await expect(bad).rejects.toThrow('reduce: nothing is filled in at {result}');
    expect(model.requests).toEqual([]);
    const templates = { map: 'm {item}', reduce: 'r {results}' };
    const { value } = await mapReduce(model, ['a', 'b'], templates);
    expect(value).toBe('<r <m a>\n\n---\n\n<m b>>');
    expect(model.requests[0]?.temperature).toBe(0.3);
    expect((await mapReduce(model, [], templates)).value).toBe('<r >');
    const failing = mapReduce(scripted(['x', down]), ['a', 'b', 'c'], { ...templates, concurrency: 1 });
    expect(await failureOf(failing)).toMatchObject({ kind: 'items-failed', cost: { calls: 2 }, cause: down });
  });

  it('a pipe hands values on within one budget, and fails with the cost of every step', async () => {
    const steps = pipe(scripted(['a', 'b', down]))
      .step('one', (text, use) => consensus(use.model, `${text}!`, { ...use, samples: 1 }))
      .step('two', (text, use) => consensus(use.model, text, { ...use, samples: 2, concurrency: 1 }));
    const error = await failureOf(steps.run('p'));
    expect(error).toMatchObject({
      ...{ kind: 'samples-failed', cost: { calls: 3 } },
      evidence: { steps: [{ cost: { calls: 1 } }, { name: 'two', cost: { calls: 2 } }] },
    });
    expect((await pipe(scripted([])).run('as it is')).value).toBe('as it is');
    // A slip in a step's options is seen by the compiler.
    // @ts-expect-error there is no option of this name
    pipe(scripted([])).step('x', (text, use) => consensus(use.model, text, { ...use, sampels: 3 }));
  });

  it('a conversation goes on from its last good turn; usage stands on results and on failures', async () => {
    // No session: a conversation with an agent, a rate limit of the model, and usage on results and errors: ADR 0019.
    const usage = { inputTokens: 3, outputTokens: 1 };
    const clock = manualClock();
    const script = scripted([
      { text: 'hi', usage },
      { usage, error: down },
      { text: 'yes', usage },
    ]);
    const chat = conversation(new Agent({ model: rateLimit(script, { perMinute: 60, burst: 3, clock }) }));
    const first = await chat.run('hello');
    const failed = await chat.run('there?').catch((error: { usage: object }) => error);
    expect(failed.usage).toMatchObject({ requests: 1 });
    expect(chat.messages).toEqual(first.messages);
    await chat.run('there?');
    expect(script.requests.map(sent).at(-1)).toEqual(['hello', 'hi', 'there?']);
  });
});
