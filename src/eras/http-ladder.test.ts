import { describe, expect, it } from 'vitest';
import { handshake, mcpKit, methodOf, stateless } from '../../test/fixtures/http/mcp-script.ts';
import type { Script, Visit } from '../../test/fixtures/http/scripted-http.ts';
import { manualClock } from '../basics/manual-clock.ts';
import { EraMemory } from './era-memory.ts';

const open = mcpKit();

/** A handshake server that meets the opening question with `probe`. */
const meets =
  (probe: (visit: Visit) => void, script: Script = handshake()): Script =>
  (visit, count) => {
    if (methodOf(visit) === 'server/discover') probe(visit);
    else script(visit, count);
  };

const json = { 'content-type': 'application/json' };
const errorBody = (code: number, data?: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no', data } });

describe('the opening question over HTTP', () => {
  it('finds the stateless era by one request', async () => {
    const { connect, log } = await open(stateless());
    const client = await connect();
    expect(client.revision).toBe('2026-07-28');
    expect(log()).toEqual(['POST server/discover']);
  });

  const older: readonly [what: string, probe: (visit: Visit) => void][] = [
    ['400 with a text', visit => visit.reply(400, 'no session')],
    ['400 with an error of no meaning', visit => visit.reply(400, errorBody(-32000, undefined, null), json)],
    [
      '400 with an id that was made up',
      visit => visit.reply(400, errorBody(-32600, undefined, 'server-error'), json),
    ],
    ['404 with method not found', visit => visit.reply(404, errorBody(-32601), json)],
    ['404 with a page', visit => visit.reply(404, '<html>', { 'content-type': 'text/html' })],
    ['405', visit => visit.reply(405)],
    ['406', visit => visit.reply(406, errorBody(-32000, undefined, null), json)],
    ['415', visit => visit.reply(415)],
    ['422', visit => visit.reply(422, '{"detail":[]}', json)],
    ['200 with method not found', visit => visit.reply(200, errorBody(-32601), json)],
    ['200 with a result of something else', visit => visit.result({ ok: true })],
    ['200 without a body', visit => visit.reply(200)],
    ['202', visit => visit.reply(202)],
    ['204', visit => visit.reply(204)],
    ['200 with a page', visit => visit.reply(200, '<html>', { 'content-type': 'text/html' })],
    ['a stream that ends without an answer', visit => void visit.stream().end()],
    [
      'a refusal that lists only older revisions',
      visit => visit.reply(400, errorBody(-32022, { supported: ['2025-06-18'] }), json),
    ],
  ];

  it.each(older)('is followed by initialize after %s', async (_what, probe) => {
    const { connect, log } = await open(meets(probe));
    const client = await connect();
    expect(client.revision).toBe('2025-11-25');
    expect(log().slice(0, 2)).toEqual(['POST server/discover', 'POST initialize']);
  });

  const silent: readonly [what: string, probe: (visit: Visit) => void, expected: object][] = [
    ['401', visit => visit.reply(401), { name: 'ConnectionError', reason: 'unauthorized', status: 401 }],
    [
      '401 with an error of JSON-RPC',
      visit => visit.reply(401, errorBody(-32000, undefined, null), json),
      { status: 401 },
    ],
    ['403', visit => visit.reply(403, 'Forbidden'), { reason: 'forbidden', status: 403 }],
    ['429', visit => visit.reply(429, '', { 'retry-after': '7' }), { status: 429, retryAfterMs: 7000 }],
    ['500', visit => visit.reply(500), { status: 500 }],
    [
      '500 with an error of JSON-RPC',
      visit => visit.reply(500, errorBody(-32603), json),
      { name: 'ProtocolError', code: -32603 },
    ],
    ['502 with a page', visit => visit.reply(502, '<h1>Bad gateway</h1>'), { status: 502 }],
    ['503', visit => visit.reply(503), { status: 503, retryable: true }],
    [
      'a redirect elsewhere',
      visit => visit.reply(302, '', { location: 'https://login.test/' }),
      { reason: 'redirected' },
    ],
    ['a connection that breaks', visit => visit.cut(), { reason: 'network', outcome: 'unknown' }],
    [
      'a header mismatch',
      visit => visit.reply(400, errorBody(-32020), json),
      { name: 'ProtocolError', code: -32020 },
    ],
    [
      'a missing capability',
      visit => visit.reply(400, errorBody(-32021), json),
      { name: 'ProtocolError', code: -32021 },
    ],
  ];

  it.each(silent)(
    'says nothing of the era with %s: the failure is the caller’s',
    async (_what, probe, expected) => {
      const { connect, log } = await open(meets(probe));
      await expect(connect()).rejects.toMatchObject(expected);
      expect(log()).toEqual(['POST server/discover']);
    },
  );

  it('that hangs runs into the connect limit; no second question is sent', async () => {
    const clock = manualClock();
    const { connect, server, log } = await open(meets(() => {}));
    const connecting = connect({ clock });
    const caught = expect(connecting).rejects.toMatchObject({ name: 'TimeoutError', limit: 'connect' });
    const { over } = await server.visit(0);
    clock.advance(59_999);
    expect(log()).toEqual(['POST server/discover']);
    clock.advance(1);
    await caught;
    await over;
  });

  it('to where nobody listens tells that nothing was sent', async () => {
    const { connect, server } = await open(() => {});
    await server.close();
    await expect(connect()).rejects.toMatchObject({ reason: 'connect-failed', outcome: 'not-sent' });
  });

  it('is repeated once when the server refuses the revision that it lists, and no more', async () => {
    const refusal = errorBody(-32022, { supported: ['2026-07-28'], requested: '2026-07-28' });
    const script = stateless();
    const { connect, log, server } = await open((visit, count) => {
      if (count === 1) visit.reply(400, refusal, json);
      else script(visit, count);
    });
    expect((await connect()).revision).toBe('2026-07-28');
    expect(log()).toEqual(['POST server/discover', 'POST server/discover']);
    server.script = visit => visit.reply(400, refusal, json);
    await expect(connect()).rejects.toMatchObject({ name: 'VersionError' });
    expect(log()).toHaveLength(4);
  });

  it('is left out for a server known from before, and asked after all when that has changed', async () => {
    const eraMemory = new EraMemory();
    const { connect, log, server } = await open(handshake());
    await connect({ eraMemory });
    await (await connect({ eraMemory })).close();
    expect(log().filter(line => line.endsWith('server/discover'))).toHaveLength(1);
    server.script = (visit, count) => {
      if (methodOf(visit) === 'initialize') visit.reply(400, errorBody(-32601), json);
      else stateless()(visit, count);
    };
    expect((await connect({ eraMemory })).revision).toBe('2026-07-28');
  });

  it('is not asked when a revision of the older era is pinned, and is all that is asked for the newer', async () => {
    const first = await open(handshake());
    expect((await first.connect({ protocol: '2025-06-18' })).revision).toBe('2025-06-18');
    expect(first.log()[0]).toBe('POST initialize');
    const second = await open(handshake());
    await expect(second.connect({ protocol: '2026-07-28' })).rejects.toMatchObject({ name: 'VersionError' });
    expect(second.log()).toEqual(['POST server/discover']);
  });

  it('of a server that is left again says goodbye to the session it made', async () => {
    const { connect, log } = await open(handshake({ session: () => 's1', revision: '1999-01-01' }));
    await expect(connect()).rejects.toMatchObject({ name: 'VersionError' });
    expect(log()).toEqual(['POST server/discover', 'POST initialize', 'DELETE -']);
  });
});
