import { describe, expect, it } from 'vitest';
import {
  answering,
  deaf,
  discovered,
  initialized,
  refusing,
  silent,
  stateless,
} from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Sent, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, negotiation } from '../../test/fixtures/eras/seat.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

type Scripts = Parameters<typeof scriptedChannel>[0];

/** Begins to connect; `settled` says whether that has come to an end. */
function begin(scripts: Scripts, overrides: Parameters<typeof negotiation>[0] = {}) {
  const options = negotiation(overrides);
  const channel = scriptedChannel(scripts);
  const opened = negotiate(channel, clientSeat(), options);
  const state = { settled: false };
  opened.then(
    () => (state.settled = true),
    () => (state.settled = true),
  );
  return { ...options, channel, opened, state, clock: options.clock };
}

const first = ({ peers: [peer] }: ReturnType<typeof scriptedChannel>) => {
  if (!peer) throw new Error('nothing was opened');
  return peer;
};

describe('the probe', () => {
  it('is the first message, introduces the client, and is enough for a server of its era', async () => {
    const { channel, opened, clock } = begin([stateless]);
    const { era, how } = await opened;
    expect([era.revision, era.server.info.name, era.server.instructions, how]).toEqual([
      '2026-07-28',
      'new server',
      'read me',
      'probed',
    ]);
    expect(first(channel).sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'server/discover',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '9' },
          },
        },
      },
    ]);
    expect([channel.peers.length, channel.closings, clock.pending]).toEqual([1, 0, 0]);
  });

  it.each([-32601, -32602, -32603, -32600, -32000, 0])(
    'refused with %i is followed by initialize on the same connection, with a fresh id',
    async code => {
      const { channel, opened, clock } = begin([refusing(code)]);
      const { era } = await opened;
      expect(era.revision).toBe('2025-11-25');
      const { sent } = first(channel);
      expect(sent.map(({ method, id }) => [method, id])).toEqual([
        ['server/discover', 1],
        ['initialize', 2],
        ['notifications/initialized', undefined],
      ]);
      expect(sent[1]?.params).toEqual({
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'probe', version: '9' },
      });
      expect([channel.peers.length, channel.closings, clock.pending]).toEqual([1, 0, 0]);
    },
  );

  it('answered with something that is no answer to it counts as refused', async () => {
    const lenient = answering({
      'server/discover': (message, peer) => peer.reply(message, { tools: [] }),
      initialize: (message, peer) => peer.reply(message, initialized('2024-11-05')),
    });
    expect((await begin([lenient]).opened).era.revision).toBe('2024-11-05');
  });

  it('answered by an older revision alone leads to initialize', async () => {
    const { opened } = begin([refusing(-32022, { supported: ['2025-11-25'] })]);
    expect((await opened).era.revision).toBe('2025-11-25');
  });
});

describe('a server that does not answer the probe', () => {
  it('is sent initialize after 3 seconds on the same connection', async () => {
    const { channel, opened, clock } = begin([deaf]);
    await turn();
    clock.advance(2999);
    await turn();
    expect(first(channel).methods).toEqual(['server/discover']);
    clock.advance(1);
    await turn();
    expect(first(channel).methods).toEqual(['server/discover', 'initialize']);
    clock.advance(100);
    const { era, how } = await opened;
    expect([era.revision, how]).toEqual(['2025-11-25', 'the probe was not answered']);
    expect([channel.peers.length, channel.closings, clock.pending]).toEqual([1, 0, 0]);
  });

  it.each(['output', 'stderr'] as const)(
    'is sent initialize 300 ms after its first byte on %s',
    async kind => {
      const { channel, opened, clock } = begin([deaf]);
      await turn();
      clock.advance(1000);
      first(channel).activity(kind);
      clock.advance(200);
      // Only the first sign counts.
      first(channel).activity(kind);
      clock.advance(99);
      await turn();
      expect(first(channel).methods).toEqual(['server/discover']);
      clock.advance(1);
      await turn();
      expect(first(channel).methods).toEqual(['server/discover', 'initialize']);
      clock.advance(100);
      expect((await opened).era.revision).toBe('2025-11-25');
    },
  );

  it('answers initialize first and the probe within 100 ms: the probe wins, the loser is noted', async () => {
    const { channel, opened, clock, diagnostics } = begin([deaf]);
    await turn();
    clock.advance(3000);
    await turn();
    clock.advance(99);
    const peer = first(channel);
    peer.reply(peer.sent[0] as Sent, discovered);
    const { era } = await opened;
    expect(era.revision).toBe('2026-07-28');
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['late-answer', 'era']);
    // What takes initialize for refused has nothing to initialize.
    expect(peer.methods).not.toContain('notifications/initialized');
    expect(clock.pending).toBe(0);
  });

  it('answers the probe after it was given up: the answer is dropped with a diagnostic', async () => {
    const { channel, opened, clock, diagnostics } = begin([deaf]);
    await turn();
    clock.advance(3000);
    await turn();
    clock.advance(100);
    const { era, link } = await opened;
    const peer = first(channel);
    peer.reply(peer.sent[0] as Sent, discovered);
    expect(era.revision).toBe('2025-11-25');
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['late-answer', 'era', 'unknown-response']);
    expect(link.inflight.size).toBe(0);
  });

  it('answers the probe while initialize is under way: nothing waits for initialize any more', async () => {
    const { channel, opened, clock, diagnostics } = begin([silent]);
    await turn();
    clock.advance(3000);
    await turn();
    const peer = first(channel);
    peer.reply(peer.sent[0] as Sent, discovered);
    const { era, link } = await opened;
    expect([era.revision, link.inflight.size]).toEqual(['2026-07-28', 0]);
    peer.reply(peer.sent[1] as Sent, initialized());
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['late-answer', 'era', 'unknown-response']);
  });

  it('answers the probe under a wrong id: it is treated as silent', async () => {
    const confused = answering({
      'server/discover': (_message, peer) =>
        peer.emit({ jsonrpc: '2.0', id: 99, error: { code: -32601, message: 'no' } }),
      initialize: (message, peer) => peer.reply(message, initialized()),
    });
    const { channel, opened, clock, diagnostics } = begin([confused]);
    await turn();
    clock.advance(3000);
    await turn();
    clock.advance(100);
    expect((await opened).era.revision).toBe('2025-11-25');
    expect(diagnostics[0]).toMatchObject({ kind: 'unknown-response' });
    expect(channel.peers.length).toBe(1);
  });

  it('answers with an error that has no id: it counts for the probe after 250 ms', async () => {
    const nameless = answering({
      'server/discover': (_message, peer) =>
        peer.emit({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'no' } }),
      initialize: (message, peer) => peer.reply(message, initialized()),
    });
    const { channel, opened, clock } = begin([nameless]);
    await turn();
    clock.advance(249);
    await turn();
    expect(first(channel).methods).toEqual(['server/discover']);
    clock.advance(1);
    expect((await opened).era.revision).toBe('2025-11-25');
    expect(clock.pending).toBe(0);
  });

  it('and refuses initialize too: a fresh connection begins with it, without waiting for the limit', async () => {
    const bridge = answering({
      initialize: (message, peer) => peer.refuse(message, -32000, undefined, 'already initialized'),
    });
    const { channel, opened, clock } = begin([bridge, deaf]);
    await turn();
    clock.advance(3000);
    await turn();
    clock.advance(100);
    expect((await opened).era.revision).toBe('2025-11-25');
    expect(channel.peers[1]?.methods).toEqual(['initialize', 'notifications/initialized']);
    expect([channel.living, clock.pending]).toEqual([1, 0]);
  });

  it('and refuses initialize for its revision: the probe is still waited for', async () => {
    const slowAndNew = answering({
      initialize: (message, peer) => peer.refuse(message, -32022, { supported: ['2026-07-28'] }),
    });
    const { channel, opened, clock, state } = begin([slowAndNew]);
    await turn();
    clock.advance(3000);
    await turn();
    clock.advance(20_000);
    await turn();
    expect(state.settled).toBe(false);
    const peer = first(channel);
    peer.reply(peer.sent[0] as Sent, discovered);
    expect((await opened).era.revision).toBe('2026-07-28');
  });
});

it('takes other times for the ladder when it is given them', async () => {
  const { channel, opened, clock } = begin([deaf], {
    probeTimes: { hedge: 10, hedgeAfterOutput: 5, grace: 1 },
  });
  await turn();
  clock.advance(10);
  await turn();
  expect(first(channel).methods).toEqual(['server/discover', 'initialize']);
  clock.advance(1);
  expect((await opened).era.revision).toBe('2025-11-25');
});
