import { describe, expect, it } from 'vitest';
import {
  handshake,
  mcpKit,
  methodOf,
  paramsOf,
  sessionOf,
  sessions,
} from '../../../test/fixtures/http/mcp-script.ts';
import type { Visit } from '../../../test/fixtures/http/scripted-http.ts';

const open = mcpKit();
const json = { 'content-type': 'application/json' };
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

const texts: readonly [what: string, gone: (visit: Visit) => void][] = [
  ['a text', visit => visit.reply(404, 'Session not found')],
  ['a page', visit => visit.reply(404, '<html>404</html>', { 'content-type': 'text/html' })],
  ['nothing', visit => visit.reply(404)],
  [
    'an error of JSON-RPC',
    visit =>
      visit.reply(
        404,
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
        json,
      ),
  ],
  [
    'an error that names the request',
    visit =>
      visit.reply(
        404,
        JSON.stringify({
          jsonrpc: '2.0',
          id: (visit.body as { id: number }).id,
          error: { code: -32601, message: 'x' },
        }),
        json,
      ),
  ],
];

describe('a session', () => {
  it('goes along with everything after initialize, and so does the revision; close says goodbye', async () => {
    const { connect, server } = await open(handshake({ session: () => 's1' }));
    const client = await connect({ protocol: '2025-06-18', logLevel: 'info' });
    await client.tools().all();
    await client.call('t', {}, { headers: { 'x-call': '1', 'Mcp-Session-Id': 'mine' } });
    await client.close();
    const sent = server.visits.map(visit => [
      `${visit.method} ${methodOf(visit) ?? ''}`,
      sessionOf(visit),
      visit.headers['mcp-protocol-version'],
    ]);
    expect(sent[0]).toEqual(['POST initialize', undefined, undefined]);
    for (const [, session, version] of sent.slice(1))
      expect([session, version]).toEqual(['s1', '2025-06-18']);
    expect(new Set(sent.map(([what]) => what))).toEqual(
      new Set([
        'POST initialize',
        'POST notifications/initialized',
        'POST logging/setLevel',
        'GET ',
        'POST tools/list',
        'POST tools/call',
        'DELETE ',
      ]),
    );
    expect(server.visits.find(visit => methodOf(visit) === 'tools/call')?.headers['x-call']).toBe('1');
    expect(sent.at(-1)?.[0]).toBe('DELETE ');
  });

  it('that was never given is neither sent nor left', async () => {
    const { connect, server, log } = await open(handshake());
    const client = await connect({ protocol: '2025-11-25' });
    await client.call('t');
    await client.close();
    expect(log()).toEqual(['POST initialize', 'POST notifications/initialized', 'POST tools/call']);
    expect(server.visits.map(sessionOf)).toEqual([undefined, undefined, undefined]);
  });

  it.each(texts)(
    'that the server has forgotten (404 with %s) is opened anew, and the request sent again',
    async (_what, gone) => {
      const lost = new Set<string>();
      const { connect, server } = await open(sessions(lost, gone));
      const client = await connect({ protocol: '2025-11-25' });
      lost.add('s1');
      expect((await client.call('t', { a: 1 })).content).toEqual([{ type: 'text', text: 'tools/call' }]);
      const calls = server.visits.filter(visit => methodOf(visit) === 'tools/call');
      expect(calls.map(sessionOf)).toEqual(['s1', 's2']);
      expect(paramsOf(calls[1] as Visit)['arguments']).toEqual({ a: 1 });
      const opened = server.visits.filter(visit => methodOf(visit) === 'initialize');
      expect(opened.map(sessionOf)).toEqual([undefined, undefined]);
      expect(opened[1]?.headers['mcp-protocol-version']).toBe(undefined);
      await client.close();
      expect(sessionOf(server.visits.at(-1) as Visit)).toBe('s2');
    },
  );

  it('is opened anew once for all calls that lost it, and for those that come meanwhile', async () => {
    const lost = new Set<string>();
    let hold: (() => void) | undefined;
    const { connect, server, log } = await open(sessions(lost, visit => visit.reply(404)));
    const client = await connect({ protocol: '2025-11-25' });
    const plain = server.script;
    server.script = (visit, count) => {
      if (methodOf(visit) === 'initialize') hold = () => plain(visit, count);
      else plain(visit, count);
    };
    lost.add('s1');
    const calls = Array.from({ length: 20 }, () => client.call('t'));
    await server.until(() => hold);
    const late = client.call('t');
    await turn();
    hold?.();
    await Promise.all([...calls, late]);
    expect(log().filter(line => line === 'POST initialize')).toHaveLength(2);
    expect(
      server.visits.filter(visit => sessionOf(visit) === 's2' && methodOf(visit) === 'tools/call'),
    ).toHaveLength(21);
    expect(server.visits.filter(visit => methodOf(visit) === 'tools/call')).toHaveLength(41);
  });

  it('that is lost again at once is not opened a third time for the same call', async () => {
    const lost = new Set(['s1', 's2']);
    const { connect, log } = await open(
      sessions(lost, visit => {
        if (methodOf(visit) === 'notifications/initialized') visit.reply(202);
        else visit.reply(404, 'gone');
      }),
    );
    const client = await connect({ protocol: '2025-11-25' });
    await expect(client.call('t')).rejects.toMatchObject({ name: 'ConnectionError', status: 404 });
    expect(log().filter(line => line === 'POST initialize')).toHaveLength(2);
    expect(log().filter(line => line === 'POST tools/call')).toHaveLength(2);
  });

  it('that cannot be opened anew fails the call, which was not carried out', async () => {
    const lost = new Set<string>();
    const { connect, server } = await open(sessions(lost, visit => visit.reply(404)));
    const client = await connect({ protocol: '2025-11-25' });
    lost.add('s1');
    const plain = server.script;
    server.script = (visit, count) => {
      if (methodOf(visit) === 'initialize') visit.reply(503);
      else plain(visit, count);
    };
    const failure = { name: 'ConnectionError', outcome: 'not-sent', status: 503, phase: 'tools/call' };
    await expect(client.call('t')).rejects.toMatchObject(failure);
    server.script = plain;
    expect((await client.call('t')).content).toHaveLength(1);
  });

  it('is not what a 404 without one is about', async () => {
    const plain = handshake();
    const { connect, log } = await open((visit, count) => {
      if (methodOf(visit) === 'tools/call') visit.reply(404, 'no such path');
      else plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25' });
    await expect(client.call('t')).rejects.toMatchObject({ status: 404 });
    expect(log().filter(line => line === 'POST initialize')).toHaveLength(1);
  });

  it('does not end when a call is sent twice for any other failure', async () => {
    const plain = handshake({ session: () => 's1' });
    const { connect, log } = await open((visit, count) => {
      if (methodOf(visit) === 'tools/call') visit.cut();
      else plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25' });
    await expect(client.call('t')).rejects.toMatchObject({ reason: 'network', outcome: 'unknown' });
    expect(log().filter(line => line === 'POST tools/call')).toHaveLength(1);
  });
});
