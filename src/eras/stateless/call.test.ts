import { describe, expect, it } from 'vitest';
import { join } from '../../../test/fixtures/eras/joined.ts';
import { answering, elicit, said } from '../../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { turn } from '../../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../../test/fixtures/eras/talk.ts';
import { type Call, isRoundEnded } from '../../protocol/call.ts';
import { MissingCapability } from '../../protocol/errors.ts';
import { serveEras } from '../for-servers.ts';

guardRejections();

type Handler = (call: Call) => Promise<unknown[]>;

/** Runs a handler with a client that answers everything; gives the result and the faults that were reported. */
async function run(handler: Handler) {
  const router = testRouter({ 'tools/call': async call => ({ value: { content: await handler(call) } }) });
  const { call } = await join(['stateless', 'one pipe', '2026-07-28', false], router, answering().seat);
  const { content } = await call('tools/call');
  return { content, reports: router.reports };
}

/** Serves a handler to a client that answers by hand. */
function serve(handler: Handler) {
  const router = testRouter({ 'tools/call': async call => ({ value: { content: await handler(call) } }) });
  return { router, talk: new Talk(serveEras(router)) };
}

describe('the end of a round', () => {
  it('aborts the signal and rejects what waits with a reason that can be told', async () => {
    const seen: unknown[] = [];
    const { content } = await run(async call => {
      try {
        return [said(await call.ask('k', elicit('K')))];
      } catch (thrown) {
        seen.push(isRoundEnded(thrown), call.signal.aborted, isRoundEnded(call.signal.reason));
        throw thrown;
      }
    });
    expect(content).toEqual(['K']);
    expect(seen).toEqual([true, true, true]);
  });

  it('is not undone by a handler that swallows it and returns', async () => {
    const { content, reports } = await run(call =>
      call.ask('k', elicit('K')).then(
        answer => [said(answer)],
        () => ['swallowed'],
      ),
    );
    expect([content, reports]).toEqual([['K'], []]);
  });

  it('is not disturbed by a handler that throws something else on its way out', async () => {
    const { content, reports } = await run(async call => {
      try {
        return [said(await call.ask('k', elicit('K')))];
      } finally {
        if (call.signal.aborted) await Promise.reject(new Error('cannot tidy up'));
      }
    });
    expect([content, reports]).toEqual([['K'], []]);
  });

  it('does not wait for a handler that never comes to an end', async () => {
    const { talk } = serve(async call => {
      await call.ask('k', elicit('K')).catch(() => {});
      return new Promise(() => {});
    });
    expect((await talk.ask('tools/call', enveloped())).result?.resultType).toBe('input_required');
    expect(talk.inlet.running).toBe(0);
  });

  it('takes along every question of its macrotask and none of later ones', async () => {
    const { talk } = serve(async call => {
      const first = call.ask('a', elicit('A'));
      await Promise.resolve();
      const second = call.ask('b', { kind: 'roots' });
      setImmediate(() => void call.ask('late', elicit('late')));
      await Promise.allSettled([first, second]);
      void call.ask('later', elicit('later'));
      return [];
    });
    const { result } = await talk.ask('tools/call', enveloped());
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        a: { method: 'elicitation/create', params: { message: 'A', requestedSchema: { type: 'object' } } },
        b: { method: 'roots/list' },
      },
      requestState: expect.stringMatching(/^[\w-]+$/),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'plain', version: '1.0.0' } },
    });
  });

  it('sends nothing when the call was cancelled before it', async () => {
    const { talk } = serve(async call => [await call.ask('k', elicit('K'))]);
    talk.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: enveloped() });
    talk.notify('notifications/cancelled', { requestId: 1 });
    for (let count = 0; count < 5; count += 1) await turn();
    expect([talk.got, talk.inlet.running]).toEqual([[], 0]);
  });
});

it('a round that is cancelled while its state is opened runs nothing', async () => {
  let runs = 0;
  const { talk } = serve(async call => {
    runs += 1;
    return [await call.ask('k', elicit('K'))];
  });
  const { result } = await talk.ask('tools/call', enveloped());
  const inputResponses = { k: { action: 'decline' } };
  const again = enveloped({ requestState: result?.requestState, inputResponses });
  talk.say({ jsonrpc: '2.0', id: 'second', method: 'tools/call', params: again });
  talk.notify('notifications/cancelled', { requestId: 'second' });
  await talk.ask('tools/call', again);
  expect([runs, talk.inlet.running]).toEqual([2, 0]);
});

describe('an effect that is to happen once', () => {
  it('is waited for when a round ends while it runs, so that the next does not repeat it', async () => {
    let effects = 0;
    const { content } = await run(async call => {
      const [effect, answer] = await Promise.all([
        call.once('pay', async () => {
          effects += 1;
          for (let count = 0; count < 5; count += 1) await turn();
          return effects;
        }),
        call.ask('k', elicit('K')),
      ]);
      return [effect, said(answer)];
    });
    expect([content, effects]).toEqual([[1, 'K'], 1]);
  });

  it('does not begin once the round has ended, since it could not be remembered', async () => {
    let effects = 0;
    const effect = (): void => {
      effects += 1;
    };
    const { content } = await run(async call => {
      try {
        return [said(await call.ask('k', elicit('K')))];
      } catch (thrown) {
        void call.once('ignored', effect);
        await expect(call.once('late', effect)).rejects.toSatisfy(isRoundEnded);
        throw thrown;
      }
    });
    expect([content, effects]).toEqual([['K'], 0]);
  });

  it('is tried again in a later round when it failed', async () => {
    let tries = 0;
    const { content } = await run(async call => {
      const effect = await call
        .once('flaky', () => {
          tries += 1;
          if (tries === 1) throw new Error('not yet');
          return tries;
        })
        .catch(() => 'failed');
      return [effect, said(await call.ask('k', elicit('K')))];
    });
    expect(content).toEqual([2, 'K']);
  });

  it('without a value is remembered too, and one name is one effect', async () => {
    let effects = 0;
    const effect = (): void => {
      effects += 1;
    };
    const { content } = await run(async call => {
      await Promise.all([call.once('x', effect), call.once('x', effect)]);
      await call.ask('a', elicit('A'));
      await call.once('x', effect);
      return [said(await call.ask('b', elicit('B')))];
    });
    expect([content, effects]).toEqual([['B'], 1]);
  });
});

describe('a client that repeats its request', () => {
  const two: Handler = async call => [
    said(await call.ask('first', elicit('1'))),
    said(await call.ask('second', elicit('2'))),
  ];
  const accept = (text: string) => ({ action: 'accept', content: { said: text } });

  it('has answers ignored that nobody asked for', async () => {
    const { talk } = serve(two);
    const { result } = await talk.ask('tools/call', enveloped());
    const inputResponses = { second: accept('smuggled'), first: accept('one'), __proto__: accept('x') };
    const params = enveloped({ requestState: result?.requestState, inputResponses });
    const next = await talk.ask('tools/call', params);
    expect(Object.keys(next.result?.inputRequests ?? {})).toEqual(['second']);
  });

  it('cannot change an answer of an earlier round', async () => {
    const { talk } = serve(two);
    const first = await talk.ask('tools/call', enveloped());
    const second = await talk.ask(
      'tools/call',
      enveloped({ requestState: first.result?.requestState, inputResponses: { first: accept('one') } }),
    );
    const requestState = second.result?.requestState;
    const inputResponses = { first: accept('another'), second: accept('two') };
    const { result } = await talk.ask('tools/call', enveloped({ requestState, inputResponses }));
    expect(result?.content).toEqual(['one', 'two']);
  });

  it.each([undefined, {}, [], 'x', null])(
    'with the answers %j is asked the same again',
    async inputResponses => {
      const { talk } = serve(two);
      const { result } = await talk.ask('tools/call', enveloped());
      const params = enveloped({ requestState: result?.requestState, inputResponses });
      const next = await talk.ask('tools/call', params);
      expect(next.result?.resultType).toBe('input_required');
      expect(next.result?.inputRequests).toEqual(result?.inputRequests);
    },
  );

  it('finds a handler that asks something else under the key: a mistake of the handler', async () => {
    let message = 'one';
    const { router, talk } = serve(async call => [await call.ask('k', elicit(message))]);
    const { result } = await talk.ask('tools/call', enveloped());
    message = 'other';
    const params = enveloped({ requestState: result?.requestState, inputResponses: { k: accept('x') } });
    expect((await talk.ask('tools/call', params)).error?.code).toBe(-32603);
    expect(String(router.reports[0]?.cause)).toContain('earlier round');
  });
});

it.each([
  [null, 'null'],
  [[], 'an array of 0 items'],
])('a state that is %j is refused as what it is', async (requestState, said) => {
  const { talk } = serve(async call => [await call.ask('k', elicit('K'))]);
  const { error } = await talk.ask('tools/call', enveloped({ requestState }));
  expect(error?.message).toBe(`params.requestState is refused: it must be a string, got ${said}`);
});

it('a method that may not ask says so to its handler', async () => {
  const router = testRouter({
    'tools/list': async call => ({ value: { tools: [await call.ask('k', elicit('K'))] } }),
  });
  const talk = new Talk(serveEras(router));
  expect((await talk.ask('tools/list', enveloped())).error?.code).toBe(-32603);
  expect(String(router.reports[0]?.cause)).toContain('tools/list may not ask');
});

it('a missing capability is an error of its own in each era', async () => {
  const missing = new MissingCapability('the client cannot be asked', { elicitation: { form: {} } });
  const { talk } = serve(() => Promise.reject(missing));
  const data = { requiredCapabilities: { elicitation: { form: {} } } };
  expect((await talk.ask('tools/call', enveloped())).error).toEqual({
    code: -32021,
    message: 'the client cannot be asked',
    data,
  });
  await talk.initialize('2025-11-25');
  expect((await talk.ask('tools/call', {})).error).toMatchObject({ code: -32600, data });
});
