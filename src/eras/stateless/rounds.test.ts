import { describe, expect, it } from 'vitest';
import { discovered, newest } from '../../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import {
  type Script,
  type Sent,
  scriptedChannel,
  turn,
} from '../../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../../test/fixtures/eras/seat.ts';
import type { Params } from '../../rpc/message.ts';
import type { ClientSeat } from '../era.ts';
import { negotiate } from '../negotiate.ts';

guardRejections();

/** A client whose server answers the nth call with the nth of `results`, the last for ever. */
async function against(results: readonly unknown[], seat: Partial<ClientSeat> = {}) {
  const calls: Sent[] = [];
  const script: Script = (message, peer) => {
    if (message.method === 'server/discover') peer.reply(message, discovered);
    else if (message.id !== undefined) {
      calls.push(message);
      const answer = results[Math.min(calls.length, results.length) - 1];
      if (answer !== undefined) peer.reply(message, answer);
    }
  };
  const channel = scriptedChannel([script]);
  const options = negotiation({ protocol: newest });
  const { era, link } = await negotiate(channel, clientSeat(seat), options);
  const call = async (params: Params = { name: 'x' }, signal?: AbortSignal): Promise<Params> =>
    (await era.call('tools/call', params, { limits, signal })).value;
  return { calls, channel, era, link, options, call };
}

const roots = { method: 'roots/list' };
const form = { method: 'elicitation/create', params: { message: 'm', requestedSchema: {} } };
const ask = (inputRequests: unknown, requestState?: unknown) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});
const complete = { resultType: 'complete', content: [] };

describe('a round', () => {
  const many = (count: number) =>
    ask(Object.fromEntries(Array.from({ length: count }, (_none, index) => [`q${index}`, roots])));

  it('of many questions has 16 handlers run at once, and its answers stand under their own keys', async () => {
    let running = 0;
    let most = 0;
    let count = 0;
    const { calls, call } = await against([many(100), complete], {
      answer: async () => {
        const mine = count++;
        running += 1;
        most = Math.max(most, running);
        await turn();
        running -= 1;
        return { mine };
      },
    });
    await call();
    expect([most, count]).toEqual([16, 100]);
    const expected = Array.from({ length: 100 }, (_none, mine) => [`q${mine}`, { mine }]);
    expect(calls[1]?.params?.['inputResponses']).toEqual(Object.fromEntries(expected));
  });

  it('of more than 1,000 questions fails before one is answered', async () => {
    let count = 0;
    const { call } = await against([many(1001)], { answer: async () => ({ count: ++count }) });
    await expect(call()).rejects.toThrow('the server asks 1001 questions at once; 1000 are the limit');
    expect(count).toBe(0);
  });

  it('is answered by the same request with a fresh id, the answers and the state as it came', async () => {
    const seen: unknown[] = [];
    const { calls, call } = await against([ask({ a: form, b: roots }, 'opaque'), complete], {
      answer: question => {
        seen.push(question);
        return Promise.resolve({ answered: question.kind });
      },
    });
    expect(await call({ name: 'x', arguments: { one: 1 } })).toEqual({ content: [] });
    expect(seen).toEqual([{ kind: 'elicit', params: form.params }, { kind: 'roots' }]);
    expect(calls[1]?.id).not.toBe(calls[0]?.id);
    const { _meta: first, ...asked } = calls[0]?.params ?? {};
    const { _meta: second, ...repeated } = calls[1]?.params ?? {};
    expect(repeated).toEqual({
      ...asked,
      inputResponses: { a: { answered: 'elicit' }, b: { answered: 'roots' } },
      requestState: 'opaque',
    });
    expect(second).toEqual({ ...(first as object), progressToken: calls[1]?.id });
  });

  it('without a state is answered without one, and one without questions at once', async () => {
    const { calls, call } = await against([ask({ a: roots }), ask({}, 's'), ask(undefined, 't'), complete]);
    await call();
    expect(calls[1]?.params).not.toHaveProperty('requestState');
    expect(calls[2]?.params).toMatchObject({ requestState: 's' });
    expect(calls[2]?.params).not.toHaveProperty('inputResponses');
    expect(calls[3]?.params).toMatchObject({ requestState: 't' });
  });

  it('passes no state or answers on that an earlier round had', async () => {
    const { calls, call } = await against([ask({ a: roots }, 's'), ask({ b: roots }), complete]);
    await call();
    expect(calls[2]?.params).not.toHaveProperty('requestState');
    expect(Object.keys(calls[2]?.params?.['inputResponses'] as object)).toEqual(['b']);
  });

  it.each([
    ['neither questions nor a state', ask({})],
    ['questions that are a list', ask([roots])],
    ['a state that is no text', ask({}, 5)],
  ])('with %s fails the call instead of going round', async (_name, round) => {
    const { calls, call } = await against([round]);
    await expect(call()).rejects.toMatchObject({ name: 'ProtocolError', method: 'tools/call' });
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['an unknown method', { method: 'ping' }],
    ['no method', {}],
    ['null', null],
    ['a text', 'roots/list'],
  ])('with a question by %s fails the call and names the key', async (_name, question) => {
    const { calls, call } = await against([ask({ odd: question })]);
    await expect(call()).rejects.toThrow('"odd"');
    expect(calls).toHaveLength(1);
  });

  it('may come 16 times per call, and not once more', async () => {
    const { calls, call } = await against([ask({ a: roots }, 's')]);
    await expect(call()).rejects.toThrow('16');
    expect(calls).toHaveLength(17);
    const patient = await against([...Array.from({ length: 16 }, () => ask({ a: roots }, 's')), complete]);
    expect(await patient.call()).toEqual({ content: [] });
    const strict = await against([ask({ a: roots })], { maxRounds: 2 });
    await expect(strict.call()).rejects.toThrow('2');
    expect(strict.calls).toHaveLength(3);
  });

  it('of a method that may not ask fails the call', async () => {
    const { era } = await against([ask({ a: roots })]);
    await expect(era.call('tools/list', {}, { limits })).rejects.toThrow('may not');
  });

  it('withdraws the other questions when one cannot be answered', async () => {
    const signals: AbortSignal[] = [];
    const { calls, call } = await against([ask({ a: roots, b: form })], {
      answer: (question, signal) => {
        signals.push(signal);
        return question.kind === 'roots' ? Promise.reject(new Error('no roots')) : new Promise(() => {});
      },
    });
    await expect(call()).rejects.toThrow('no roots');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(calls).toHaveLength(1);
  });

  it('ends with the reason of the caller, though a handler is still busy', async () => {
    const controller = new AbortController();
    const { calls, call } = await against([ask({ a: roots })], { answer: () => new Promise(() => {}) });
    const result = call({}, controller.signal).catch((thrown: unknown) => thrown);
    await turn();
    controller.abort('enough');
    expect(await result).toBe('enough');
    expect(calls).toHaveLength(1);
  });

  it('fails at once when the connection is lost while a person thinks', async () => {
    const signals: AbortSignal[] = [];
    const { channel, era, options, call } = await against([ask({ a: roots })], {
      answer: (_question, signal) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const result = call().catch((thrown: unknown) => thrown);
    await turn();
    channel.peers[0]?.exit();
    for (const loss of options.losses) era.lost(loss);
    expect(await result).toMatchObject({
      name: 'ConnectionError',
      phase: 'tools/call',
      reason: 'exited',
      outcome: 'unknown',
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('has no limit of time: no request waits while a person thinks', async () => {
    let answer: (value: Params) => void = () => {};
    const { link, options, call } = await against([ask({ a: roots }), complete], {
      answer: () => new Promise(resolve => (answer = resolve)),
    });
    const result = call();
    await turn();
    expect(link.inflight.size).toBe(0);
    options.clock.advance(10 * limits.total);
    answer({ roots: [] });
    expect(await result).toEqual({ content: [] });
  });
});

describe('the kind of a result', () => {
  it('counts as complete when it is missing', async () => {
    expect(await (await against([{ content: [] }])).call()).toEqual({ content: [] });
  });

  it.each(['task', 'constructor', '__proto__', '', 7, null, {}])(
    'that nobody knows is an error: %j',
    async resultType => {
      const { call } = await against([{ resultType, content: [] }]);
      const expected = resultType === null ? 'complete' : 'error';
      const end = await call().then(
        () => 'complete',
        (thrown: unknown) => (String(thrown).includes('resultType') ? 'error' : thrown),
      );
      expect(end).toBe(expected);
    },
  );

  it('of an extension is made an ordinary result by its handler, which may ask for more', async () => {
    const { calls, call } = await against(
      [
        { resultType: 'ticket', ticket: 7 },
        { resultType: 'complete', seat: 12 },
        { resultType: 'ticket', ticket: 8 },
      ],
      {
        results: {
          ticket: async (value, { request, signal }) => {
            expect(signal).toBe(undefined);
            if (value['ticket'] === 8) return { content: ['second'] };
            const more = await request('tickets/redeem', { ticket: value['ticket'] });
            return { content: [more] };
          },
        },
      },
    );
    expect(await call()).toEqual({ content: [{ seat: 12 }] });
    expect(calls[1]).toMatchObject({ method: 'tickets/redeem', params: { ticket: 7 } });
    expect(calls[1]?.params?.['_meta']).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': newest });
    expect(await call()).toEqual({ content: ['second'] });
  });

  it('of an extension whose handler fails fails the call', async () => {
    const { call } = await against([{ resultType: 'ticket' }], {
      results: { ticket: () => Promise.reject(new Error('lost the ticket')) },
    });
    await expect(call()).rejects.toThrow('lost the ticket');
  });
});

describe('the freshness of a result', () => {
  const listed = { resultType: 'complete', tools: [], ttlMs: 500, cacheScope: 'public' };

  it('is read where the method allows, and taken off the value', async () => {
    const { era } = await against([listed]);
    expect(await era.call('tools/list', {}, { limits })).toEqual({
      value: { tools: [] },
      freshness: { ttlMs: 500, scope: 'public' },
    });
  });

  it('is left alone in a result of another kind of method, where a member of that name is its own', async () => {
    const { era } = await against([{ resultType: 'complete', ttlMs: 500, cacheScope: 'public' }]);
    const result = await era.call('tickets/redeem', {}, { limits });
    expect(result).toEqual({ value: { ttlMs: 500, cacheScope: 'public' } });
  });

  it.each([{ ttlMs: -5 }, { ttlMs: 'soon' }, { ttlMs: null, cacheScope: 'everybody' }, {}])(
    'counts as stale and private when it is %j',
    async odd => {
      const { era } = await against([{ resultType: 'complete', tools: [], ...odd }]);
      const { freshness } = await era.call('tools/list', {}, { limits });
      expect(freshness).toEqual({ ttlMs: 0, scope: 'private' });
    },
  );

  it('is not told of a result that questions led to', async () => {
    const { era } = await against([ask({ a: roots }, 's'), listed]);
    expect(await era.call('resources/read', { uri: 'file:///a' }, { limits })).toEqual({
      value: { tools: [] },
    });
  });
});
