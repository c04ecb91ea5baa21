import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../test/fixtures/eras/talk.ts';
import type { Outcome } from '../protocol/call.ts';
import { serveEras } from './for-servers.ts';

guardRejections();

function serve() {
  const gates: ((outcome: Outcome) => void)[] = [];
  const router = testRouter({
    'tools/list': () => ({ value: { tools: [] } }),
    'tools/call': () => new Promise<Outcome>(resolve => gates.push(resolve)),
  });
  const talk = new Talk(serveEras(router));
  const finish = (text: string): void => gates.shift()?.({ value: { content: [{ type: 'text', text }] } });
  return { router, talk, finish };
}

/** What is answered to one malformed message: id and code, or nothing. */
type Answer = readonly [string | number | null, number] | undefined;

const ping = { jsonrpc: '2.0', id: 'p', method: 'ping' };

const table: readonly (readonly [string, unknown, Answer])[] = [
  ['a number', 5, [null, -32600]],
  ['a text', 'ping', [null, -32600]],
  ['true', true, [null, -32600]],
  ['null', null, [null, -32600]],
  ['an empty object', {}, [null, -32600]],
  ['an empty batch', [], [null, -32600]],
  ['a batch', [ping], [null, -32600]],
  ['a batch of rubbish', [1, [2]], [null, -32600]],
  ['id null', { ...ping, id: null }, [null, -32600]],
  ['id object', { ...ping, id: {} }, [null, -32600]],
  ['id array', { ...ping, id: ['p'] }, [null, -32600]],
  ['id 1.5', { ...ping, id: 1.5 }, [null, -32600]],
  ['id true', { ...ping, id: true }, [null, -32600]],
  ['an id that is too large to be exact', { ...ping, id: 2 ** 60 }, [null, -32600]],
  ['no jsonrpc', { id: 7, method: 'ping' }, [7, -32600]],
  ['jsonrpc 1.0', { ...ping, id: 'q', jsonrpc: '1.0' }, ['q', -32600]],
  ['no jsonrpc and no id', { method: 'ping' }, undefined],
  ['jsonrpc 2 and no id', { jsonrpc: 2, method: 'notifications/initialized' }, undefined],
  ['a method that is a number', { jsonrpc: '2.0', id: 7, method: 1 }, [7, -32600]],
  ['a method that is a number, and no id', { jsonrpc: '2.0', method: 1 }, [null, -32600]],
  ['no method', { jsonrpc: '2.0', id: 7 }, [7, -32600]],
  ['params array', { jsonrpc: '2.0', id: 7, method: 'tools/list', params: [] }, [7, -32600]],
  ['params text', { jsonrpc: '2.0', id: 7, method: 'tools/list', params: 'x' }, [7, -32600]],
  ['params array of a notification', { jsonrpc: '2.0', method: 'x', params: [] }, undefined],
  ['a stray result', { jsonrpc: '2.0', id: 7, result: {} }, undefined],
  ['a stray error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x' } }, undefined],
  ['a stray error without id', { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }, undefined],
  ['a response that says nothing', { jsonrpc: '2.0', id: 7, error: null }, undefined],
  ['a result without jsonrpc', { id: 7, result: {} }, undefined],
  ['an unknown method', { jsonrpc: '2.0', id: 7, method: 'nope' }, [7, -32601]],
  ['an unknown method named like a member', { jsonrpc: '2.0', id: 7, method: 'constructor' }, [7, -32601]],
  ['an unknown method named __proto__', { jsonrpc: '2.0', id: 7, method: '__proto__' }, [7, -32601]],
  ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/nope' }, undefined],
  ['a request sent as notification', { jsonrpc: '2.0', method: 'tools/list' }, undefined],
  [
    'a cancellation of nothing',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
    undefined,
  ],
  [
    'a cancellation with an odd id',
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: {} } },
    undefined,
  ],
  ['a cancellation without parameters', { jsonrpc: '2.0', method: 'notifications/cancelled' }, undefined],
  [
    'progress about nothing',
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1 } },
    undefined,
  ],
];

for (const state of ['before initialize', 'in a session of 2025-11-25'] as const) {
  describe(`a server ${state}`, () => {
    for (const [name, value, answer] of table) {
      it(`answers ${name} with ${answer ? answer[1] : 'silence'} and goes on`, async () => {
        const { router, talk } = serve();
        if (state !== 'before initialize') await talk.initialize('2025-11-25');
        const before = talk.got.length;
        talk.say(value);
        await turn();
        const got = talk.got.slice(before);
        // Before initialize the gate comes first.
        const early = state === 'before initialize' && answer?.[1] === -32601;
        if (answer)
          expect(got).toMatchObject([{ id: answer[0], error: { code: early ? -32600 : answer[1] } }]);
        else expect(got).toEqual([]);
        expect((await talk.ask('ping')).result).toEqual({});
        expect(router.calls.filter(({ method }) => method === 'tools/list')).toEqual([]);
        expect([router.reports, talk.inlet.running]).toEqual([[], 0]);
      });
    }
  });
}

describe('what could not be read as JSON', () => {
  it('is answered with -32700, id null and the reason', async () => {
    const { talk } = serve();
    talk.inlet.unreadable('nested more than 512 levels deep', talk.exchange);
    expect(talk.got).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'nested more than 512 levels deep' } },
    ]);
    expect((await talk.ask('ping')).result).toEqual({});
  });
});

describe('an id that is in use', () => {
  it.each([
    ['handshake', {}],
    ['stateless', enveloped()],
  ])('is refused with id null and named, and the first call is unharmed (%s)', async (era, params) => {
    const { router, talk, finish } = serve();
    if (era === 'handshake') await talk.initialize('2025-11-25');
    const first = talk.ask('tools/call', params, 'x"7');
    const refused = talk.answer(null);
    talk.say({ jsonrpc: '2.0', id: 'x"7', method: 'tools/call', params });
    const { error } = await refused;
    expect(error?.code).toBe(-32600);
    expect(error?.message).toContain('"x\\"7"');
    finish('unharmed');
    expect((await first).result?.content?.[0]?.text).toBe('unharmed');
    expect(router.calls).toHaveLength(1);
    // Once answered the id is free again.
    const again = talk.ask('tools/call', params, 'x"7');
    finish('again');
    expect((await again).result?.content?.[0]?.text).toBe('again');
  });

  it('is not the same as the number that it spells', async () => {
    const { talk, finish } = serve();
    await talk.initialize('2025-11-25');
    const [first, second] = [talk.ask('tools/call', {}, 7), talk.ask('tools/call', {}, '7')];
    finish('number');
    finish('text');
    expect((await first).result?.content?.[0]?.text).toBe('number');
    expect((await second).result?.content?.[0]?.text).toBe('text');
  });

  it.each([
    ['without jsonrpc', { id: 7, method: 'ping' }],
    ['without a method', { jsonrpc: '2.0', id: 7 }],
    ['with params that are no object', { jsonrpc: '2.0', id: 7, method: 'ping', params: 1 }],
  ])('in a message %s is not echoed, since that would settle the first call', async (_name, value) => {
    const { talk, finish } = serve();
    await talk.initialize('2025-11-25');
    const first = talk.ask('tools/call', {}, 7);
    talk.say(value);
    finish('unharmed');
    expect((await first).result?.content?.[0]?.text).toBe('unharmed');
    expect(talk.singles.filter(({ error }) => error)).toMatchObject([{ id: null, error: { code: -32600 } }]);
  });
});

describe('ids', () => {
  it.each([0, '', -1, '0', 'a b', Number.MAX_SAFE_INTEGER, '\u2028'])('are echoed exactly: %j', async id => {
    const { talk } = serve();
    await talk.initialize('2025-11-25');
    expect((await talk.ask('ping', undefined, id)).id).toBe(id);
    expect((await talk.ask('tools/list', undefined, id)).id).toBe(id);
    expect((await talk.ask('nope', undefined, id)).id).toBe(id);
    expect((await talk.ask('tools/list', enveloped(), id)).id).toBe(id);
    expect((await talk.ask('server/discover', enveloped(), id)).id).toBe(id);
  });
});

it('takes params null for absent', async () => {
  const { talk } = serve();
  await talk.initialize('2025-11-25');
  expect((await talk.ask('tools/list', null)).result).toEqual({ tools: [] });
  expect((await talk.ask('ping', null)).result).toEqual({});
});
