/** Our client finds the revision to speak with servers that are odd about it, and says so when there is none. */
import { describe, expect, test } from 'vitest';
import { kinds, meet, seenBy, textOf, useGood } from './meeting.ts';

const handshake = '2025-11-25';
const stateless = '2026-07-28';

describe('the good tool is used, in the revision that both know, with as few processes as it takes', () => {
  test.concurrent.each([
    ['ordinary', handshake, 1],
    ['echoes-any-revision', handshake, 1],
    ['offers-older', '2024-11-05', 1],
    ['discover-not-found', handshake, 1],
    ['discover-invalid-params', handshake, 1],
    ['discover-internal-error', handshake, 1],
    ['discover-invalid-request', handshake, 1],
    ['discover-not-initialized', handshake, 1],
    ['discover-server-error', handshake, 1],
    ['discover-code-zero', handshake, 1],
    ['discover-wrong-id', handshake, 1],
    ['discover-null-id', handshake, 1],
    ['discover-silent', handshake, 1],
    ['discover-garbage', handshake, 1],
    ['banner-then-silent-discover', handshake, 1],
    ['discover-empty-result', handshake, 1],
    ['discover-null-result', handshake, 1],
    ['discover-initialize-result', handshake, 1],
    ['discover-odd-versions', handshake, 1],
    ['discover-older-only', handshake, 1],
    ['unsupported-older', handshake, 1],
    ['discover-long-after-initialize', handshake, 1],
    ['initialize-once', handshake, 1],
    ['auto-initialised', handshake, 2],
    ['exits-before-initialize', handshake, 2],
    ['discover-exits', handshake, 2],
    ['discover-exits-cleanly', handshake, 2],
    ['discover-then-duplicate', stateless, 1],
    ['discover-right-after-initialize', stateless, 1],
    ['stateless', stateless, 1],
    ['stateless-only', stateless, 1],
    ['stateless-no-result-type', stateless, 1],
    ['stateless-sends-request', stateless, 1],
  ])('%s: %s, %i process(es)', (variant, revision, processes) =>
    meet(variant, async ({ connect, starts }) => {
      const client = await connect();
      expect(client.revision).toBe(revision);
      await useGood(client);
      expect(starts()).toBe(processes);
    }),
  );
});

describe('there is no revision that both know, which is a VersionError naming what was offered', () => {
  test.concurrent.each([
    ['offers-unknown', ['1999-01-01']],
    ['offers-stateless', [stateless]],
    ['offers-number', []],
    ['offers-nothing', []],
    ['initialize-empty-result', []],
    ['initialize-null-result', []],
    ['discover-newer-only', ['2099-01-01']],
    ['unsupported-newer', ['2099-01-01']],
    ['unsupported-without-data', []],
  ])('%s', (variant, offered) =>
    meet(variant, async ({ connect }) => {
      await expect(connect()).rejects.toMatchObject({ name: 'VersionError', offered });
    }),
  );

  test.concurrent('a pinned handshake with a server that refuses it by number', () =>
    meet('stateless-only', async ({ connect }) => {
      await expect(connect({ options: { protocol: handshake } })).rejects.toMatchObject({
        name: 'VersionError',
        asked: [handshake],
        offered: [stateless],
      });
    }));

  test.concurrent('a pinned stateless revision with a server of the handshake', () =>
    meet('ordinary', async ({ connect }) => {
      await expect(connect({ options: { protocol: stateless } })).rejects.toMatchObject({
        name: 'VersionError',
        asked: [stateless],
      });
    }));

  test.concurrent('unsupported-same: it contradicts itself; the tools are used or the refusal is told', () =>
    meet('unsupported-same', async ({ connect }) => {
      const met = await connect().catch((error: unknown) => error);
      if (met instanceof Error) expect(met.name).toMatch(/^(VersionError|ProtocolError)$/);
      else await useGood(met as Awaited<ReturnType<typeof connect>>);
    }));
});

describe('a server that never gets there fails by a typed error and is gone', () => {
  test.concurrent('initialize-refused: the refusal of the server', () =>
    meet('initialize-refused', async ({ connect }) => {
      await expect(connect()).rejects.toMatchObject({
        name: 'ProtocolError',
        code: -32603,
        message: expect.stringContaining('API key missing'),
      });
    }));

  test.concurrent.each(['initialize-silent', 'everything-silent', 'never-reads'])(
    '%s: the connect limit',
    variant =>
      meet(variant, async ({ connect }) => {
        await expect(connect({ options: { timeouts: { connect: 600 } } })).rejects.toMatchObject({
          name: 'TimeoutError',
          limit: 'connect',
        });
      }),
  );

  test.concurrent('everything-silent: an abort during connect rejects with its reason', () =>
    meet('everything-silent', async ({ connect, received }) => {
      const controller = new AbortController();
      const reason = new Error('changed my mind');
      const connecting = connect({ options: { signal: controller.signal } });
      const settled = expect(connecting).rejects.toBe(reason);
      while (received().length === 0) await new Promise(resolve => setImmediate(resolve));
      controller.abort(reason);
      await settled;
    }));
});

describe('the stateless era and its oddities', () => {
  test.concurrent('stateless-sends-request: noted and not answered', () =>
    meet('stateless-sends-request', async ({ connect }) => {
      const client = await connect();
      await useGood(client);
      expect(kinds(client)).toContain('unexpected-request');
      expect((await seenBy(client)).filter(message => message.method === undefined)).toEqual([]);
    }));

  test.concurrent('asks: a round is answered by the handler and the state goes back untouched', () =>
    meet('asks', async ({ connect }) => {
      const client = await connect({
        options: { onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }) },
      });
      expect(textOf(await client.call('good'))).toBe('accept Ada opaque-é');
      const ids = (await seenBy(client)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }));

  test.concurrent('asks-state-only: a round without questions goes on at once', () =>
    meet('asks-state-only', async ({ connect }) => {
      expect(textOf(await (await connect()).call('good'))).toBe('resumed with again');
    }));

  test.concurrent.each([
    ['asks', 'does not answer'],
    ['asks-undeclared', 'does not answer'],
    ['asks-unknown-kind', 'hologram'],
    ['asks-nothing', 'names no question'],
    ['stateless-unknown-result-type', 'hologram'],
    ['stateless-revision-lost', 'Unsupported protocol version'],
  ])('%s: the call alone fails, by name', (variant, why) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      await expect(client.call('good')).rejects.toThrow(why);
      expect(await seenBy(client)).not.toEqual([]);
    }),
  );

  test.concurrent('asks-for-ever: the rounds of one call are limited', () =>
    meet('asks-for-ever', async ({ connect }) => {
      let answered = 0;
      const onElicit = () => {
        answered += 1;
        return { action: 'decline' } as const;
      };
      const client = await connect({ options: { onElicit, maxRounds: 3 } });
      await expect(client.call('good')).rejects.toThrow('limit is 3');
      expect(answered).toBe(3);
    }));

  test.concurrent('stateless-list-asks: a list may not ask', () =>
    meet('stateless-list-asks', async ({ connect }) => {
      const client = await connect();
      await expect(client.tools().all()).rejects.toMatchObject({ name: 'ProtocolError' });
    }));
});

test.concurrent('discover-long-after-initialize: the late answer is dropped and told', () =>
  meet('discover-long-after-initialize', async ({ connect }) => {
    const client = await connect();
    await useGood(client);
    expect(kinds(client)).toEqual(expect.arrayContaining(['late-answer', 'unknown-response']));
  }));
