import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { elicit, said } from '../../../test/fixtures/eras/questions.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { enveloped, Talk } from '../../../test/fixtures/eras/talk.ts';
import { serveEras } from '../for-servers.ts';
import { type RoundState, StateSeal } from './state.ts';

guardRejections();

afterEach(() => {
  vi.restoreAllMocks();
});

const state: RoundState = { asked: { k: 'print' }, answers: { a: { action: 'accept' } }, done: { once: 1 } };
const params = { name: 'pay', arguments: { to: 'me', amount: 1 } };
const method = 'tools/call';
const wrong = { refused: 'it was not made by this server or was changed on the way' };

describe('a sealed state', () => {
  it('opens to what went in', async () => {
    const seal = new StateSeal();
    const text = await seal.seal(state, method, params, 'alice');
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(text).not.toContain('print');
    expect(await seal.open(text, method, params, 'alice')).toEqual({ state: expect.objectContaining(state) });
  });

  it('never looks the same twice', async () => {
    const seal = new StateSeal({ keys: ['k'] });
    const texts = await Promise.all([1, 2, 3].map(() => seal.seal(state, method, params, undefined)));
    expect(new Set(texts).size).toBe(3);
  });

  it('is refused in any changed form', async () => {
    const seal = new StateSeal();
    const text = await seal.seal(state, method, params, undefined);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const place = fc.nat(text.length - 1);
    const letter = fc.constantFrom(...alphabet);
    const changed = fc.oneof(
      fc.tuple(place, letter).map(([at, put]) => text.slice(0, at) + put + text.slice(at + 1)),
      fc.tuple(place, letter).map(([at, put]) => text.slice(0, at) + put + text.slice(at)),
      place.map(at => text.slice(0, at)),
      place.map(at => text.slice(at + 1)),
      place.map(at => text.slice(0, at) + text.slice(at + 1)),
      fc.tuple(place, place).map(([a, b]) => text.slice(0, a) + text.slice(b)),
      fc.string().map(more => text + more),
      fc.string(),
      fc.string({ unit: letter, maxLength: 200 }),
    );
    await fc.assert(
      fc.asyncProperty(changed, async other => {
        fc.pre(other !== text);
        expect(await seal.open(other, method, params, undefined)).toEqual(wrong);
      }),
      { numRuns: 1500 },
    );
  });

  it('is refused with any single bit flipped', async () => {
    const seal = new StateSeal();
    const text = await seal.seal(state, method, params, undefined);
    const bytes = Buffer.from(text, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await seal.open(copy.toString('base64url'), method, params, undefined)).toEqual(wrong);
    }
  });

  it('is refused in another spelling of the same bytes', async () => {
    const seal = new StateSeal();
    for (const name of ['a', 'ab', 'abc']) {
      const text = await seal.seal({ ...state, done: { [name]: 1 } }, method, params, undefined);
      const spellings = Array.from(
        { length: 128 },
        (_, code) => text.slice(0, -1) + String.fromCharCode(code),
      );
      for (const other of [...spellings, `${text}=`, `${text}==`, ` ${text}`, `${text}\n`]) {
        const opened = await seal.open(other, method, params, undefined);
        expect('state' in opened).toBe(other === text);
      }
    }
  });

  it('belongs to its caller', async () => {
    const seal = new StateSeal();
    for (const [owner, other] of [
      ['alice', 'bob'],
      ['alice', undefined],
      [undefined, 'alice'],
    ] as const) {
      const text = await seal.seal(state, method, params, owner);
      const opened = await seal.open(text, method, params, other);
      expect(opened).toEqual({ refused: 'it belongs to another caller' });
    }
  });

  it.each([
    ['another tool', method, { ...params, name: 'other' }],
    ['another argument', method, { ...params, arguments: { to: 'me', amount: 2 } }],
    ['one more argument', method, { ...params, arguments: { ...params.arguments, more: 1 } }],
    ['another type of value', method, { ...params, arguments: { to: 'me', amount: '1' } }],
    [
      'the pairs of its members as a list',
      method,
      {
        ...params,
        arguments: [
          ['amount', 1],
          ['to', 'me'],
        ],
      },
    ],
    ['another method', 'prompts/get', params],
    ['no parameters', method, {}],
  ])('belongs to its request: not to one with %s', async (_name, otherMethod, otherParams) => {
    const seal = new StateSeal();
    const text = await seal.seal(state, method, params, undefined);
    const opened = await seal.open(text, otherMethod, otherParams, undefined);
    expect(opened).toEqual({ refused: 'it belongs to another request' });
  });

  it('belongs to its request however that is written: members in another order, other envelope', async () => {
    const seal = new StateSeal();
    const text = await seal.seal(state, method, { ...params, _meta: { progressToken: 1 } }, undefined);
    const repeated = {
      requestState: text,
      inputResponses: { k: {} },
      _meta: { progressToken: 2 },
      arguments: { amount: 1, to: 'me' },
      name: 'pay',
    };
    expect(await seal.open(text, method, repeated, undefined)).toHaveProperty('state');
  });

  it('expires after 15 minutes, or as the server says', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const [usual, brief] = [new StateSeal(), new StateSeal({ ttl: 10 })];
    const texts = await Promise.all([usual, brief].map(seal => seal.seal(state, method, params, undefined)));
    const open = (): Promise<unknown[]> =>
      Promise.all([usual, brief].map((seal, at) => seal.open(texts[at] ?? '', method, params, undefined)));
    const expired = { refused: 'it has expired; make the call again from its beginning' };
    now.mockReturnValue(1_000_009);
    expect(await open()).toEqual([{ state: expect.anything() }, { state: expect.anything() }]);
    now.mockReturnValue(1_000_010);
    expect(await open()).toEqual([{ state: expect.anything() }, expired]);
    now.mockReturnValue(1_000_000 + 15 * 60_000);
    expect(await open()).toEqual([expired, expired]);
  });
});

describe('the keys', () => {
  it('of another server do not open it', async () => {
    const text = await new StateSeal().seal(state, method, params, undefined);
    expect(await new StateSeal().open(text, method, params, undefined)).toEqual(wrong);
    expect(await new StateSeal({ keys: ['guess'] }).open(text, method, params, undefined)).toEqual(wrong);
  });

  it('may be shared by several servers, as text or bytes', async () => {
    const text = await new StateSeal({ keys: ['secret'] }).seal(state, method, params, undefined);
    const bytes = new TextEncoder().encode('secret');
    expect(await new StateSeal({ keys: [bytes] }).open(text, method, params, undefined)).toHaveProperty(
      'state',
    );
  });

  it('can be rotated: the first seals, all of them open, a retired one does not', async () => {
    const old = await new StateSeal({ keys: ['old'] }).seal(state, method, params, undefined);
    const both = new StateSeal({ keys: ['new', 'old'] });
    const fresh = await both.seal(state, method, params, undefined);
    expect(await both.open(old, method, params, undefined)).toHaveProperty('state');
    const after = new StateSeal({ keys: ['new'] });
    expect(await after.open(fresh, method, params, undefined)).toHaveProperty('state');
    expect(await after.open(old, method, params, undefined)).toEqual(wrong);
  });

  it.each([
    [{ keys: [] }, 'state.keys is empty'],
    [{ keys: ['good', ''] }, 'state.keys[1] is empty'],
    [{ keys: [new Uint8Array()] }, 'state.keys[0] is empty'],
    [{ ttl: 0 }, 'state.ttl'],
    [{ ttl: -1 }, 'state.ttl'],
    [{ ttl: Number.NaN }, 'state.ttl'],
  ])('and times that cannot be used are refused at once: %j', (options, message) => {
    expect(() => new StateSeal(options)).toThrow(message);
    expect(() => serveEras(testRouter(), { state: options })).toThrow(TypeError);
  });
});

describe('a server that is given a state', () => {
  const serve = () => {
    const router = testRouter({
      'tools/call': async call => ({ value: { content: [said(await call.ask('k', elicit('K')))] } }),
    });
    const acceptor = serveEras(router, { state: { keys: ['shared'] } });
    const inputResponses = { k: { action: 'accept', content: { said: 'yes' } } };
    const repeat = (talk: Talk, requestState: unknown, more: object = {}) =>
      talk.ask('tools/call', enveloped({ name: 'x', requestState, inputResponses, ...more }));
    return { router, acceptor, repeat };
  };

  it.each([5, null, {}, [], '', 'x', 'AAAA', '\u0000', 'é'.repeat(1000)])(
    'refuses %j with -32602, and the handler does not run',
    async requestState => {
      const { router, acceptor, repeat } = serve();
      const { error } = await repeat(new Talk(acceptor), requestState);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain('requestState is refused');
      expect(router.calls).toEqual([]);
    },
  );

  it('takes it on another connection of the same caller, and on no other', async () => {
    const { acceptor, repeat } = serve();
    const alice = new Talk(acceptor, { principal: 'alice' });
    const { result } = await alice.ask('tools/call', enveloped({ name: 'x' }));
    const elsewhere = new Talk(acceptor, { principal: 'alice' });
    expect((await repeat(elsewhere, result?.requestState)).result?.content).toEqual(['yes']);
    for (const other of [new Talk(acceptor, { principal: 'bob' }), new Talk(acceptor)]) {
      expect((await repeat(other, result?.requestState)).error?.message).toContain('another caller');
    }
    const otherTool = await repeat(alice, result?.requestState, { name: 'y' });
    expect(otherTool.error?.message).toContain('another request');
  });
});
