import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../models/model.ts';
import { type ScriptedModel, scripted } from '../../testing/scripted.ts';
import { Agent } from '../agent.ts';
import type { RunError } from '../errors.ts';
import { repairHistory } from './history.ts';
import { trimHistory } from './trim-history.ts';

const system: ModelMessage = { role: 'system', content: 'be brief' };
const user = (content: string): ModelMessage => ({ role: 'user', content });
const says = (content: string): ModelMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map(id => ({ id, name: 'look', arguments: '{}' })),
});
const result = (toolCallId: string, content = 'x'): ModelMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'look',
  content,
});

const first = [user('one'), calls('a'), result('a'), says('1')];
const second = [user('two'), says('2')];
const third = [user('three'), calls('b', 'c'), result('b'), result('c'), says('3')];
const all = [system, ...first, ...second, ...third];

describe('trimming a history', () => {
  it('keeps the newest whole exchanges that fit, and the system message', () => {
    expect(trimHistory(all, { maxMessages: 7 })).toEqual([system, ...second, ...third]);
    expect(trimHistory(all, { maxMessages: 8 })).toEqual([system, ...second, ...third]);
    expect(trimHistory(all, { maxMessages: 11 })).toEqual(all);
    expect(trimHistory(all, {})).toEqual(all);
  });
  it('keeps the newest exchange whatever it takes', () => {
    expect(trimHistory(all, { maxMessages: 1 })).toEqual([system, ...third]);
    expect(trimHistory(all, { maxTokens: 1 })).toEqual([system, ...third]);
    expect(trimHistory([], { maxMessages: 1 })).toEqual([]);
  });
  it('counts tokens as they are shown, a long result by what of it is shown', () => {
    const long = [user('one'), calls('a'), result('a', 'x'.repeat(1_000_000)), says('1')];
    expect(trimHistory([...long, ...second], { maxTokens: 26_000 })).toEqual([...long, ...second]);
    expect(trimHistory([...long, ...second], { maxTokens: 20_000 })).toEqual(second);
  });
  it('takes several messages of the user in a row as one beginning', () => {
    const history = [user('old'), says('1'), user('a'), user('b'), says('2')];
    expect(trimHistory(history, { maxMessages: 2 })).toEqual(history.slice(2));
  });
  it('does not part a call from a result that stands behind a message of the user', () => {
    const late = [user('old'), says('1'), user('a'), calls('x'), user('b'), result('x'), says('2')];
    expect(trimHistory(late, { maxMessages: 2 })).toEqual(late.slice(2));
    const open = [user('a'), calls('x'), user('b'), says('2')];
    expect(trimHistory(open, { maxMessages: 2 })).toEqual(open.slice(2));
  });
  it('does not touch what it is given', () => {
    const frozen = Object.freeze([...all]);
    trimHistory(frozen, { maxMessages: 2 });
    expect(frozen).toHaveLength(12);
  });
  it.each([{ maxMessages: 0 }, { maxTokens: -1 }, { maxMessages: 1.5 }])('refuses %j', options => {
    expect(() => trimHistory(all, options)).toThrow(/trimHistory: max/);
  });
  it('never parts a call from its result', () => {
    const exchange = fc.constantFrom(first, second, third);
    void fc.assert(
      fc.property(
        fc.array(exchange, { maxLength: 6 }),
        fc.integer({ min: 1, max: 20 }),
        (parts, maxMessages) => {
          const kept = trimHistory(parts.flat(), { maxMessages });
          expect(repairHistory(kept)).toEqual(kept);
          if (parts.length > 0) expect(kept[0]?.role).toBe('user');
        },
      ),
    );
  });
});

describe('a run with a history that is too long', () => {
  const history = [...first, ...second];
  const shown = (model: ScriptedModel, index = 0): unknown[] =>
    (model.requests[index]?.messages ?? []).map(message => message.content);

  it('shows the model the newest of it, says so, and keeps all of it in the transcript', async () => {
    const model = scripted(['done']);
    const codes: string[] = [];
    const agent = new Agent({
      model,
      instructions: 'be brief',
      trim: { maxMessages: 3 },
      onEvent: event => event.type === 'note' && codes.push(event.code),
    });
    const { messages } = await agent.run('three', { history });
    expect(shown(model)).toEqual(['be brief', 'two', '2', 'three']);
    expect(messages).toHaveLength(history.length + 3);
    expect(codes).toEqual(['history-trimmed']);
  });

  it('puts a summary in place of the rest, whose usage counts', async () => {
    const model = scripted(['done'], { cycle: true });
    const asked: (readonly ModelMessage[])[] = [];
    const agent = new Agent({
      model,
      instructions: 'be brief',
      trim: { maxMessages: 3 },
      summarize: dropped => {
        asked.push(dropped);
        return { text: 'they counted', usage: { inputTokens: 7, outputTokens: 3, requests: 1 } };
      },
    });
    const { usage, messages } = await agent.run('three', { history });
    expect(asked).toEqual([first]);
    expect(shown(model)).toEqual([
      'be brief',
      'Summary of the conversation before this:\nthey counted',
      'two',
      '2',
      'three',
    ]);
    expect(usage).toEqual({ inputTokens: 7, outputTokens: 3, requests: 2 });
    expect(messages.some(message => String(message.content).includes('they counted'))).toBe(false);
    const again = await agent.run('four', { history: structuredClone(history) });
    expect(asked).toHaveLength(1);
    expect(again.usage.requests).toBe(1);
    await agent.run('four', { history: [user('other'), ...first.slice(1), ...second] });
    expect(asked).toHaveLength(2);
  });

  it('stays the same from turn to turn', async () => {
    const model = scripted([{ toolCalls: [{ name: 'nope' }] }, 'done']);
    await new Agent({ model, trim: { maxMessages: 3 }, summarize: () => 'sum' }).run('three', { history });
    expect(shown(model, 1).slice(0, shown(model).length)).toEqual(shown(model));
  });

  it('can be summarised by an agent', async () => {
    const small = new Agent({ model: scripted(['in short']) });
    const model = scripted(['done']);
    const agent = new Agent({
      model,
      trim: { maxMessages: 3 },
      summarize: async (dropped, { signal }) => {
        const { output, usage } = await small.run('Sum it up.', { history: dropped, signal });
        return { text: output, usage };
      },
    });
    expect((await agent.run('three', { history })).usage.requests).toBe(2);
    expect(shown(model)[0]).toContain('in short');
  });

  const failure = (run: Promise<unknown>): Promise<RunError> =>
    run.then(
      () => expect.fail('the run succeeded'),
      (error: RunError) => error,
    );

  it('fails before any request to the model when the summary fails, or passes a limit', async () => {
    const model = scripted([]);
    const cause = new Error('no');
    const options = { model, trim: { maxMessages: 3 }, limits: { totalTokens: 5 } };
    const one = new Agent({ ...options, summarize: () => Promise.reject(cause) });
    expect(await failure(one.run('x', { history }))).toMatchObject({ stage: 'model', cause });
    const usage = { inputTokens: 7, outputTokens: 3, requests: 1 };
    const two = new Agent({ ...options, summarize: () => ({ text: 'a', usage }) });
    expect(await failure(two.run('x', { history }))).toMatchObject({ stage: 'usage', usage });
    const three = new Agent({ ...options, summarize: () => 5 as never });
    expect((await failure(three.run('x', { history }))).stage).toBe('model');
    expect(model.requests).toHaveLength(0);
  });

  it('leaves a summary that hangs at once when it is aborted', async () => {
    const controller = new AbortController();
    const agent = new Agent({
      model: scripted([]),
      trim: { maxMessages: 3 },
      summarize: () => {
        controller.abort(new Error('enough'));
        return new Promise<string>(() => {});
      },
    });
    const error = await failure(agent.run('x', { history, signal: controller.signal }));
    expect(error.message).toContain('while the history was summarised');
  });

  it('is refused at construction when a summary has nothing to be of', () => {
    expect(() => new Agent({ model: scripted([]), summarize: () => '' })).toThrow(/summarize needs trim/);
    expect(() => new Agent({ model: scripted([]), trim: { maxMessages: 0 } })).toThrow(/trim: maxMessages/);
  });
});
