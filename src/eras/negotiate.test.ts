import { describe, expect, it } from 'vitest';
import {
  answering,
  deaf,
  discovered,
  initialized,
  refusing,
  silent,
  stateless,
  strict,
} from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Script, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, negotiation } from '../../test/fixtures/eras/seat.ts';
import { isVersionError } from '../protocol/errors.ts';
import { EraMemory } from './era-memory.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

const refusesInitialize = answering({
  'server/discover': (message, peer) => peer.refuse(message, -32601),
  initialize: (message, peer) => peer.refuse(message, -32000, undefined, 'already initialized'),
});

function begin(scripts: readonly Script[], overrides: Parameters<typeof negotiation>[0] = {}) {
  const options = negotiation(overrides);
  const channel = scriptedChannel(scripts);
  return { ...options, channel, opened: negotiate(channel, clientSeat(), options), clock: options.clock };
}

describe('a fresh connection', () => {
  it('takes the place of one that ended on the probe, and begins with initialize', async () => {
    const { channel, opened, clock } = begin([strict]);
    const { era, how } = await opened;
    expect(era.revision).toBe('2025-11-25');
    expect(how).toContain('fresh');
    expect(channel.peers.map(({ methods }) => methods[0])).toEqual(['server/discover', 'initialize']);
    expect([channel.living, clock.pending]).toEqual([1, 0]);
  });

  it('takes the place of one that refuses initialize after the probe, which is closed', async () => {
    const { channel, opened, clock } = begin([refusesInitialize, deaf]);
    const { era, leftovers } = await opened;
    await leftovers;
    expect(era.revision).toBe('2025-11-25');
    expect(channel.peers.map(({ methods }) => methods)).toEqual([
      ['server/discover', 'initialize'],
      ['initialize', 'notifications/initialized'],
    ]);
    expect([channel.living, channel.closings, clock.pending]).toEqual([1, 1, 0]);
  });

  it('that fails too gives its own error, and says what the first one ended with', async () => {
    const second = answering({ initialize: (message, peer) => peer.refuse(message, -32099) });
    const { channel, opened, clock, diagnostics } = begin([refusesInitialize, second]);
    await expect(opened).rejects.toMatchObject({ name: 'ProtocolError', code: -32099, method: 'initialize' });
    expect(diagnostics.map(({ message }) => message).join()).toContain('already initialized');
    expect([channel.peers.length, channel.living, clock.pending]).toEqual([2, 0, 0]);
  });

  it('that ends too gives the error of its end', async () => {
    const dying: Script = (_message, peer) => peer.exit();
    const { channel, opened, clock } = begin([dying]);
    await expect(opened).rejects.toMatchObject({
      name: 'ConnectionError',
      phase: 'initialize',
      reason: 'exited',
      exit: { code: 1 },
    });
    expect([channel.peers.length, channel.living, clock.pending]).toEqual([2, 0, 0]);
  });
});

describe('a server without a revision in common', () => {
  it('is not asked to initialize after it said so', async () => {
    const future = answering({
      'server/discover': (message, peer) =>
        peer.reply(message, { ...discovered, supportedVersions: ['2099-01-01'] }),
    });
    const { channel, opened, clock } = begin([future]);
    const error: unknown = await opened.catch((thrown: unknown) => thrown);
    expect(isVersionError(error)).toBe(true);
    expect(error).toMatchObject({
      asked: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      offered: ['2099-01-01'],
    });
    expect(channel.peers[0]?.methods).toEqual(['server/discover']);
    expect([channel.living, clock.pending]).toEqual([0, 0]);
  });

  it('is left when it answers initialize with a revision that nobody knows', async () => {
    const odd = answering({
      'server/discover': (message, peer) => peer.refuse(message, -32601),
      initialize: (message, peer) => peer.reply(message, initialized('1999-01-01')),
    });
    const { channel, opened, clock } = begin([odd]);
    await expect(opened).rejects.toMatchObject({ name: 'VersionError', offered: ['1999-01-01'] });
    expect(channel.peers[0]?.methods).not.toContain('notifications/initialized');
    expect([channel.peers.length, channel.living, clock.pending]).toEqual([1, 0, 0]);
  });

  it.each([
    [undefined, []],
    [7, []],
    [null, []],
  ])('is left when it answers initialize with the revision %j', async (version, offered) => {
    const odd = answering({
      'server/discover': (message, peer) => peer.refuse(message, -32601),
      initialize: (message, peer) => peer.reply(message, { protocolVersion: version }),
    });
    await expect(begin([odd]).opened).rejects.toMatchObject({ name: 'VersionError', offered });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'does not come of the counter-offer %s',
    async revision => {
      const older = answering({
        'server/discover': (message, peer) => peer.refuse(message, -32601),
        initialize: (message, peer) => peer.reply(message, initialized(revision)),
      });
      expect((await begin([older]).opened).era.revision).toBe(revision);
    },
  );

  it('is left when it echoes the newest revision in initialize, which has none', async () => {
    const echo = answering({
      'server/discover': (message, peer) => peer.refuse(message, -32601),
      initialize: (message, peer) => peer.reply(message, initialized('2026-07-28')),
    });
    await expect(begin([echo]).opened).rejects.toMatchObject({
      name: 'VersionError',
      offered: ['2026-07-28'],
    });
  });
});

describe('a pinned revision', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    '%s is asked for by initialize, without a probe',
    async protocol => {
      const agrees = answering({
        initialize: (message, peer) =>
          peer.reply(message, initialized(String(message.params?.['protocolVersion']))),
      });
      const { channel, opened } = begin([agrees], { protocol });
      expect((await opened).era.revision).toBe(protocol);
      expect(channel.peers[0]?.methods).toEqual(['initialize', 'notifications/initialized']);
    },
  );

  it('2026-07-28 is asked for by the probe alone', async () => {
    const { channel, opened, clock } = begin([stateless], { protocol: '2026-07-28' });
    expect((await opened).era.revision).toBe('2026-07-28');
    expect(channel.peers[0]?.methods).toEqual(['server/discover']);
    expect(clock.pending).toBe(0);
  });

  it('that the server does not choose is refused, with both sides named', async () => {
    const { channel, opened } = begin([deaf], { protocol: '2025-03-26' });
    await expect(opened).rejects.toMatchObject({
      name: 'VersionError',
      asked: ['2025-03-26'],
      offered: ['2025-11-25'],
    });
    expect(channel.living).toBe(0);
  });

  it.each([
    ['refuses the probe', refusing(-32601), []],
    ['names older revisions alone', refusing(-32022, { supported: ['2025-11-25'] }), ['2025-11-25']],
    [
      'lists older revisions alone',
      answering({
        'server/discover': (message, peer) => peer.reply(message, { supportedVersions: ['2025-06-18'] }),
      }),
      ['2025-06-18'],
    ],
  ] as const)('2026-07-28 is refused when the server %s', async (_name, script, offered) => {
    const { channel, opened, clock } = begin([script], { protocol: '2026-07-28' });
    await expect(opened).rejects.toMatchObject({ name: 'VersionError', asked: ['2026-07-28'], offered });
    expect(channel.peers[0]?.methods).toEqual(['server/discover']);
    expect([channel.peers.length, channel.living, clock.pending]).toEqual([1, 0, 0]);
  });

  it('of the older era against a server of the newer one is a question of versions', async () => {
    const newOnly = answering({
      initialize: (message, peer) => peer.refuse(message, -32022, { supported: ['2026-07-28'] }),
    });
    await expect(begin([newOnly], { protocol: '2025-11-25' }).opened).rejects.toMatchObject({
      name: 'VersionError',
      asked: ['2025-11-25'],
      offered: ['2026-07-28'],
    });
  });

  it('2026-07-28 of a server that ends on the probe fails with its end; nothing else is tried', async () => {
    const { channel, opened } = begin([strict], { protocol: '2026-07-28' });
    await expect(opened).rejects.toMatchObject({ name: 'ConnectionError', reason: 'exited' });
    expect(channel.peers.length).toBe(1);
  });
});

describe('what was learnt of a server', () => {
  it('spares the next connection the probe, and is told', async () => {
    const memory = new EraMemory();
    const channel = scriptedChannel([refusing(-32601)]);
    await negotiate(channel, clientSeat(), negotiation({ memory }));
    const again = negotiation({ memory });
    const { how } = await negotiate(channel, clientSeat(), again);
    expect(how).toContain('known');
    expect(again.diagnostics[0]).toMatchObject({ kind: 'era', data: { revision: '2025-11-25' } });
    expect(channel.peers[1]?.methods).toEqual(['initialize', 'notifications/initialized']);
  });

  it('is forgotten when it proves wrong: the server is asked anew', async () => {
    const memory = new EraMemory();
    const refuses = answering({ initialize: (message, peer) => peer.refuse(message, -32601) });
    const channel = scriptedChannel([refusing(-32601), refuses, stateless]);
    await negotiate(channel, clientSeat(), negotiation({ memory }));
    const { era, leftovers } = await negotiate(channel, clientSeat(), negotiation({ memory }));
    await leftovers;
    expect(era.revision).toBe('2026-07-28');
    expect(memory.get(channel.label)).toBe('stateless');
    expect([channel.peers.length, channel.living]).toEqual([3, 2]);
  });

  it('is forgotten when the server has fallen silent, so that the next connection asks anew', async () => {
    const memory = new EraMemory();
    const channel = scriptedChannel([refusing(-32601), silent, stateless]);
    await negotiate(channel, clientSeat(), negotiation({ memory }));
    const second = negotiation({ memory });
    const opened = negotiate(channel, clientSeat(), second);
    const failed = expect(opened).rejects.toMatchObject({ name: 'TimeoutError' });
    await turn();
    second.clock.advance(60_000);
    await failed;
    const { era } = await negotiate(channel, clientSeat(), negotiation({ memory }));
    expect(era.revision).toBe('2026-07-28');
  });

  it('stays bounded, and the oldest goes first', () => {
    const memory = new EraMemory(3);
    for (const label of ['a', 'b', 'c', 'a', 'd']) memory.set(label, 'handshake');
    expect(['a', 'b', 'c', 'd'].map(label => memory.get(label))).toEqual([
      'handshake',
      undefined,
      'handshake',
      'handshake',
    ]);
  });
});
