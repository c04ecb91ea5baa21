import { describe, expect, it } from 'vitest';
import type { Call } from '../protocol/call.ts';
import { CallContext } from './call-context.ts';

/** A call of a client with these capabilities, and what was asked of it. */
function callOf(capabilities: object, answer: unknown = {}) {
  const asked: unknown[] = [];
  const done: unknown[] = [];
  const call = {
    method: 'tools/call',
    params: {},
    client: { info: undefined, capabilities, revision: 'r' },
    principal: 'somebody',
    signal: new AbortController().signal,
    progress: (...args: unknown[]) => done.push(['progress', ...args]),
    log: (...args: unknown[]) => done.push(['log', ...args]),
    async ask(key: string, question: object) {
      asked.push([key, question]);
      return answer;
    },
    once: async (name: string, effect: () => unknown) => [name, await effect()],
    closeStream: () => done.push(['closeStream']),
  };
  return { call: call as unknown as Call, asked, done };
}

const form = { message: 'm', requestedSchema: { type: 'object' } } as const;
const page = { mode: 'url', message: 'm', url: 'https://example.com' } as const;
const yes = { action: 'accept' };

describe('asking a client', () => {
  it.each<[string, object, 'form' | 'url', boolean]>([
    ['offers elicitation without modes', { elicitation: {} }, 'form', true],
    ['offers elicitation without modes', { elicitation: {} }, 'url', false],
    ['offers forms', { elicitation: { form: {} } }, 'form', true],
    ['offers forms', { elicitation: { form: {} } }, 'url', false],
    ['offers pages', { elicitation: { url: {} } }, 'form', false],
    ['offers pages', { elicitation: { url: {} } }, 'url', true],
    ['offers both', { elicitation: { form: {}, url: {} } }, 'url', true],
    ['offers null', { elicitation: null }, 'form', false],
    ['offers nothing', {}, 'form', false],
  ])('that %s (%j) with a %s: %s', async (_what, capabilities, mode, may) => {
    const { call, asked } = callOf(capabilities, yes);
    const question = mode === 'form' ? form : page;
    const answer = new CallContext(call).elicit('k', question);
    if (may) {
      expect(await answer).toBe(yes);
      expect(asked).toEqual([['k', { kind: 'elicit', params: question }]]);
      return;
    }
    await expect(answer).rejects.toMatchObject({
      name: 'MissingCapability',
      message: `the client cannot be asked "k": it does not offer elicitation (${mode})`,
      required: { elicitation: { [mode]: {} } },
    });
    expect(asked).toEqual([]);
  });

  it('for its model, and for its model with tools, needs different things', async () => {
    const question = { messages: [], maxTokens: 1 };
    const sampled = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' };
    const { call } = callOf({ sampling: {} }, sampled);
    const context = new CallContext(call);
    expect(await context.sample('k', question)).toBe(sampled);
    await expect(context.sample('k', { ...question, tools: [] })).rejects.toMatchObject({
      required: { sampling: { tools: {} } },
    });
    const able = callOf({ sampling: { tools: {} } }, sampled);
    expect(await new CallContext(able.call).sample('k', { ...question, tools: [] })).toBe(sampled);
  });

  it('for its folders has a key of its own unless one is given', async () => {
    const { call, asked } = callOf({ roots: {} }, { roots: [] });
    await new CallContext(call).roots();
    await new CallContext(call).roots('mine');
    expect(asked).toEqual([
      ['roots', { kind: 'roots' }],
      ['mine', { kind: 'roots' }],
    ]);
    const unable = callOf({});
    await expect(new CallContext(unable.call).roots()).rejects.toMatchObject({ required: { roots: {} } });
  });

  it('is refused when the answer has the wrong shape', async () => {
    const { call } = callOf({ elicitation: {} }, { action: 'perhaps' });
    await expect(new CallContext(call).elicit('k', form)).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32602,
    });
  });
});

describe('what a tool is handed', () => {
  it('works when it is taken apart', async () => {
    const { call, done } = callOf({ elicitation: {}, roots: {} }, yes);
    const { progress, log, elicit, once, closeStream, principal, deps } = new CallContext(call);
    progress(1, { total: 2 });
    log('info', 'x', 'me');
    closeStream();
    expect(await elicit('k', form)).toBe(yes);
    expect(await once('name', () => 5)).toEqual(['name', 5]);
    expect(done).toEqual([['progress', 1, { total: 2 }], ['log', 'info', 'x', 'me'], ['closeStream']]);
    expect(principal).toBe('somebody');
    expect(deps).toBeUndefined();
  });

  it('has the signal of the call unless it is given one of its own', () => {
    const { call } = callOf({});
    const own = new AbortController().signal;
    expect(new CallContext(call).signal).toBe(call.signal);
    expect(new CallContext(call, own).signal).toBe(own);
  });
});

describe('asking without waiting', () => {
  it('leaves no rejection that nobody handles, whatever comes of the question', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const context = new CallContext(callOf({}).call);
    void context.elicit('a', form);
    void context.sample('b', { messages: [], maxTokens: 1 });
    void context.roots();
    void new CallContext(callOf({ elicitation: {} }, { action: 'nonsense' }).call).elicit('c', form);
    await new Promise(resolve => setImmediate(resolve));
    await new Promise(resolve => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
