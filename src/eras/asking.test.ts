import { describe, expect, it } from 'vitest';
import { join, pairings } from '../../test/fixtures/eras/joined.ts';
import { answering, elicit, said } from '../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import type { Question } from '../protocol/question.ts';
import type { Params } from '../rpc/message.ts';
import { ProtocolError } from '../rpc/protocol-error.ts';

guardRejections();

describe.each(pairings)('asking in the %s era over %s', (...pairing) => {
  const [era] = pairing;
  const again = era === 'stateless';

  it('takes two questions at once and a third, and tidies up each time', async () => {
    const counts = { started: 0, tidied: 0, effects: 0 };
    const router = testRouter({
      'tools/call': async call => {
        counts.started += 1;
        try {
          const both = await Promise.all([call.ask('a', elicit('A')), call.ask('b', elicit('B'))]);
          const effect = await call.once('effect', () => {
            counts.effects += 1;
            return { number: counts.effects };
          });
          const third = await call.ask('c', elicit('C'));
          return { value: { content: [...both, third].map(said), effect } };
        } finally {
          counts.tidied += 1;
        }
      },
    });
    const { asked, seat } = answering();
    const { call, era: client } = await join(pairing, router, seat);
    expect(await call('tools/call', { name: 'x' })).toEqual({
      content: ['A', 'B', 'C'],
      effect: { number: 1 },
    });
    expect(asked).toEqual(['A', 'B', 'C']);
    expect(counts).toEqual(
      again ? { started: 3, tidied: 3, effects: 1 } : { started: 1, tidied: 1, effects: 1 },
    );
    expect(router.reports).toEqual([]);
    client.close();
  });

  it('asks the same question under the same key once', async () => {
    const router = testRouter({
      'tools/call': async call => {
        const answers = await Promise.all([call.ask('k', elicit('K')), call.ask('k', elicit('K'))]);
        return { value: { content: [...answers, await call.ask('k', elicit('K'))].map(said) } };
      },
    });
    const { asked, seat } = answering();
    const { call } = await join(pairing, router, seat);
    expect(await call('tools/call')).toEqual({ content: ['K', 'K', 'K'] });
    expect(asked).toEqual(['K']);
  });

  it('takes another question under the same key for a mistake of the handler', async () => {
    const errors: unknown[] = [];
    const router = testRouter({
      'tools/call': async call => {
        const first = call.ask('k', elicit('one'));
        await call.ask('k', elicit('other')).catch((thrown: unknown) => errors.push(thrown));
        return { value: { content: [said(await first)] } };
      },
    });
    const { asked, seat } = answering();
    const { call } = await join(pairing, router, seat);
    expect(await call('tools/call')).toEqual({ content: ['one'] });
    expect(asked).toEqual(['one']);
    for (const error of errors) expect(String(error)).toMatch(/TypeError: .*"k".*another question/);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('asks nothing any more once the call has its answer', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let answered = (): void => {};
    const after = new Promise<void>(resolve => {
      answered = resolve;
    });
    const router = testRouter({
      'tools/call': call => {
        late = after.then(() => call.ask('late', elicit('late')));
        late.catch(() => {});
        return { value: { content: [] } };
      },
    });
    const { asked, seat } = answering();
    const { call } = await join(pairing, router, seat);
    await call('tools/call');
    answered();
    await expect(late).rejects.toThrow();
    await turn();
    expect(asked).toEqual([]);
  });

  it('keeps the questions of two calls apart', async () => {
    const router = testRouter({
      'tools/call': async call => ({
        value: { content: [said(await call.ask('k', elicit(String(call.params['name']))))] },
      }),
    });
    const { call } = await join(pairing, router, answering().seat);
    const results = await Promise.all(['x', 'y', 'z'].map(name => call('tools/call', { name })));
    expect(results).toEqual([{ content: ['x'] }, { content: ['y'] }, { content: ['z'] }]);
  });

  it('gives a declined question to the handler as its answer', async () => {
    const router = testRouter({
      'tools/call': async call => ({ value: { content: [await call.ask('k', elicit('K'))] } }),
    });
    const { call } = await join(pairing, router, {
      capabilities: { elicitation: {} },
      answer: () => Promise.resolve({ action: 'decline' }),
    });
    expect(await call('tools/call')).toEqual({ content: [{ action: 'decline' }] });
  });

  it('asks by kinds other than elicitation', async () => {
    const sample: Question = { kind: 'sample', params: { messages: [], maxTokens: 5 } };
    const seen: Question[] = [];
    const router = testRouter({
      'tools/call': async call => {
        await Promise.all([call.ask('s', sample), call.ask('r', { kind: 'roots' })]);
        return { value: { content: [] } };
      },
    });
    const answer = (question: Question): Promise<Params> => {
      seen.push(question);
      return Promise.resolve({ roots: [] });
    };
    const { call } = await join(pairing, router, { answer });
    await call('tools/call');
    expect(seen).toEqual([sample, { kind: 'roots' }]);
  });

  it('leaves no rejection behind a question that nobody waits for', async () => {
    const router = testRouter({
      'tools/call': call => {
        void call.ask('a', elicit('A'));
        void call.ask('a', elicit('not A'));
        return { value: { content: ['went on'] } };
      },
    });
    const { call } = await join(pairing, router, {
      answer: () => Promise.reject(new ProtocolError(-1, 'no')),
    });
    expect(await call('tools/call')).toEqual({ content: ['went on'] });
    await turn();
    expect(router.reports).toEqual([]);
  });

  it('fails the call, not the connection, when the client cannot answer', async () => {
    const router = testRouter({
      'tools/call': async call => ({ value: { content: [await call.ask('k', elicit('K'))] } }),
      'tools/list': () => ({ value: { tools: [] } }),
    });
    const { call } = await join(pairing, router, {
      answer: () => {
        throw new Error('the dialog is broken');
      },
    });
    await expect(call('tools/call')).rejects.toThrow(/dialog is broken/);
    expect(await call('tools/list')).toEqual({ tools: [] });
  });

  it('withdraws the question when the call is given up: its signal aborts', async () => {
    const router = testRouter({
      'tools/call': async call => ({ value: { content: [await call.ask('k', elicit('K'))] } }),
    });
    const controller = new AbortController();
    let asked: (signal: AbortSignal) => void = () => {};
    const open = new Promise<AbortSignal>(resolve => {
      asked = resolve;
    });
    const { call } = await join(pairing, router, {
      answer: (_question, signal) => {
        asked(signal);
        return new Promise(() => {});
      },
    });
    const result = call('tools/call', {}, controller.signal).catch((thrown: unknown) => thrown);
    const signal = await open;
    expect(signal.aborted).toBe(false);
    controller.abort('enough');
    expect(await result).toBe('enough');
    await turn();
    expect(signal.aborted).toBe(true);
  });

  it('lets go of questions at once when the connection is closed', async () => {
    const router = testRouter({
      'tools/call': async call => ({ value: { content: [await call.ask('k', elicit('K'))] } }),
    });
    let asked: (signal: AbortSignal) => void = () => {};
    const open = new Promise<AbortSignal>(resolve => {
      asked = resolve;
    });
    const joined = await join(pairing, router, {
      answer: (_question, signal) => {
        asked(signal);
        return new Promise(() => {});
      },
    });
    const { call, era: client, link, clock } = joined;
    const result = call('tools/call').catch((thrown: unknown) => thrown);
    const signal = await open;
    client.close();
    const closed = link.close();
    for (const loss of joined.options.losses) client.lost(loss);
    clock.advance(0);
    await closed;
    expect(await result).toMatchObject({ name: 'ConnectionError', phase: 'tools/call', reason: 'closed' });
    expect(signal.aborted).toBe(true);
    expect(link.inflight.size).toBe(0);
  });
});
