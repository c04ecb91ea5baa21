import { describe, expect, it } from 'vitest';
import {
  handshake,
  mcpKit,
  methodOf,
  paramsOf,
  sessionOf,
  sessions,
} from '../../../test/fixtures/http/mcp-script.ts';
import { event, type Visit } from '../../../test/fixtures/http/scripted-http.ts';
import { manualClock } from '../../basics/manual-clock.ts';

const open = mcpKit();
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('calls', () => {
  it('may each carry a token of their own', async () => {
    const plain = handshake();
    const { connect, server } = await open(
      (visit, count) => {
        if (methodOf(visit) === 'tools/call')
          visit.result({ content: [{ type: 'text', text: visit.headers.authorization }] });
        else plain(visit, count);
      },
      { headers: { authorization: 'Bearer general' } },
    );
    const client = await connect({ protocol: '2025-11-25' });
    const say = async (headers?: Record<string, string>) =>
      (await client.call('t', {}, headers ? { headers } : {})).content[0];
    const said = await Promise.all([
      say({ Authorization: 'Bearer a' }),
      say({ authorization: 'Bearer b' }),
      say(),
    ]);
    expect(said.map(block => (block as { text: string }).text)).toEqual([
      'Bearer a',
      'Bearer b',
      'Bearer general',
    ]);
    expect(server.visits).toHaveLength(5);
  });

  it('that are cancelled tell the server, and are not listened to any more', async () => {
    const plain = handshake({ session: () => 's1' });
    const { connect, server } = await open((visit, count) => {
      if (methodOf(visit) === 'tools/call') visit.stream().write(': working\n\n');
      else plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25' });
    const controller = new AbortController();
    const call = client.call('t', {}, { signal: controller.signal });
    const visit = await server.until(() => server.visits.find(each => methodOf(each) === 'tools/call'));
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await visit.over;
    const told = await server.until(() =>
      server.visits.find(each => methodOf(each) === 'notifications/cancelled'),
    );
    expect(paramsOf(told)['requestId']).toBe((visit.body as { id: number }).id);
    expect(sessionOf(told)).toBe('s1');
  });

  it('fetch the rest of their stream with the session and their own headers', async () => {
    const clock = manualClock();
    const plain = handshake({ session: () => 's1' });
    const { connect, server } = await open((visit, count) => {
      if (visit.method === 'GET') visit.stream().end(event({ id: 2, result: { content: [] } }));
      else if (methodOf(visit) === 'tools/call') visit.stream().end('id: e1\nretry: 500\ndata:\n\n');
      else plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25', clock });
    const call = client.call('t', {}, { headers: { 'x-call': '1' } });
    while (!server.visits.some(({ method }) => method === 'GET')) {
      await turn();
      clock.advance(20);
    }
    expect((await call).content).toEqual([]);
    expect(server.visits.at(-1)).toMatchObject({
      method: 'GET',
      headers: {
        'last-event-id': 'e1',
        'mcp-session-id': 's1',
        'mcp-protocol-version': '2025-11-25',
        'x-call': '1',
      },
    });
  });

  it('leave nothing on a signal that many of them share', async () => {
    const { connect } = await open(handshake());
    const client = await connect({ protocol: '2025-11-25' });
    const { signal } = new AbortController();
    let listeners = 0;
    let most = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      listeners += 1;
      most = Math.max(most, listeners);
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, given);
    };
    for (let batch = 0; batch < 50; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, () => client.call('t', {}, { signal })));
    }
    expect(most).toBe(1);
    expect(listeners).toBe(0);
  });
});

describe('the standing stream', () => {
  it('is opened after initialized when the client answers questions, and a call waits for it', async () => {
    const plain = handshake({ session: () => 's1' });
    let get: Visit | undefined;
    const { connect, server, log } = await open((visit, count) => {
      if (visit.method === 'GET') get = visit;
      else if (methodOf(visit) === 'tools/call') {
        get?.response.write(
          event({
            id: 'q',
            method: 'elicitation/create',
            params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
          }),
        );
        void server
          .until(() => server.visits.find(({ body }) => (body as { id?: unknown }).id === 'q'))
          .then(() => plain(visit, count));
      } else if ((visit.body as { id?: unknown }).id === 'q') visit.reply(202);
      else plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25', onElicit: () => ({ action: 'decline' }) });
    const call = client.call('t');
    await server.until(() => get);
    expect(log()).toEqual(['POST initialize', 'POST notifications/initialized', 'GET -']);
    get?.stream();
    await call;
    expect(server.visits.find(({ body }) => (body as { id?: unknown }).id === 'q')).toMatchObject({
      headers: { 'mcp-session-id': 's1' },
      body: { result: { action: 'decline' } },
    });
  });

  it('that does not come keeps a call waiting for half a second and no longer', async () => {
    const clock = manualClock();
    const plain = handshake();
    const { connect, server, log } = await open((visit, count) => {
      if (visit.method !== 'GET') plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25', clock, onRoots: () => [] });
    const call = client.call('t');
    await server.until(() => server.visits.some(({ method }) => method === 'GET'));
    clock.advance(499);
    await turn();
    expect(log()).not.toContain('POST tools/call');
    clock.advance(1);
    await call;
  });

  it('is opened when something is watched, brings changes, and not twice', async () => {
    const plain = handshake();
    const { connect, server, log } = await open((visit, count) => {
      if (visit.method === 'GET') visit.stream().write(event({ method: 'notifications/tools/list_changed' }));
      else plain(visit, count);
    });
    const client = await connect({ protocol: '2025-11-25' });
    expect(log()).not.toContain('GET -');
    const first = client.watch({ tools: true })[Symbol.asyncIterator]();
    client.watch({ tools: true });
    expect(await first.next()).toMatchObject({ value: { kind: 'tools' } });
    expect(server.visits.filter(({ method }) => method === 'GET')).toHaveLength(1);
    await first.return?.();
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('is opened as the option openStream says (%s)', async (openStream, count) => {
    const { connect, server, log } = await open(handshake(), { openStream });
    const client = await connect({ protocol: '2025-11-25', ...(openStream ? {} : { onRoots: () => [] }) });
    client.watch({ tools: true });
    await client.call('t');
    if (openStream) await server.until(() => log().includes('GET -'));
    expect(log().filter(line => line === 'GET -')).toHaveLength(count);
  });

  it('is opened anew, and subscriptions asked for again, in a new session', async () => {
    const lost = new Set<string>();
    const { connect, server } = await open(
      sessions(
        lost,
        visit => visit.reply(404),
        visit => {
          if (visit.method === 'GET') visit.stream().write(': open\n\n');
        },
      ),
    );
    const client = await connect({ protocol: '2025-11-25' });
    client.watch({ uris: ['file:///a'] });
    const came = (what: (visit: Visit) => boolean, session: string) =>
      server.until(() => server.visits.some(visit => what(visit) && sessionOf(visit) === session));
    await came(visit => visit.method === 'GET', 's1');
    await came(visit => methodOf(visit) === 'resources/subscribe', 's1');
    lost.add('s1');
    await client.call('t');
    await came(visit => visit.method === 'GET', 's2');
    await came(visit => methodOf(visit) === 'resources/subscribe', 's2');
  });

  it('that is no longer found renews the session of a client that only watches, which then looks at everything', async () => {
    const clock = manualClock();
    const lost = new Set<string>();
    const { connect, server } = await open(
      sessions(
        lost,
        visit => visit.reply(404),
        visit => {
          if (visit.method !== 'GET') return;
          if (lost.has(String(sessionOf(visit)))) visit.reply(404);
          else visit.stream().write(': open\n\n');
        },
      ),
    );
    const client = await connect({ protocol: '2025-11-25', clock });
    const changes = client.watch({ tools: true, uris: ['file:///a'] })[Symbol.asyncIterator]();
    const first = await server.until(() => server.visits.find(({ method }) => method === 'GET'));
    await server.until(() => server.visits.some(visit => methodOf(visit) === 'resources/subscribe'));
    await client.call('t');
    lost.add('s1');
    first.cut();
    while (server.visits.filter(({ method }) => method === 'GET').length < 3) {
      clock.advance(100);
      await turn();
    }
    expect(server.visits.filter(({ method }) => method === 'GET').map(sessionOf)).toEqual(['s1', 's1', 's2']);
    expect([(await changes.next()).value, (await changes.next()).value]).toEqual([
      { kind: 'tools' },
      { kind: 'resource', uri: 'file:///a' },
    ]);
    await changes.return?.();
  });
});
