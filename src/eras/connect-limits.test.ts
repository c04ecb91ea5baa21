import { describe, expect, it } from 'vitest';
import { deaf, refusing, silent, stateless, strict } from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Script, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, negotiation } from '../../test/fixtures/eras/seat.ts';
import { isTimeoutError } from '../basics/timeout-error.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

type Overrides = Parameters<typeof negotiation>[0];
type Options = Parameters<typeof scriptedChannel>[1];

function begin(scripts: readonly Script[], overrides: Overrides = {}, channelOptions: Options = {}) {
  const options = negotiation(overrides);
  const channel = scriptedChannel(scripts, channelOptions);
  const opened = negotiate(channel, clientSeat(), options);
  const end: Promise<unknown> = opened.catch((thrown: unknown) => thrown);
  return { ...options, channel, opened, end, clock: options.clock };
}

describe('the limit of connecting', () => {
  it('is 60 seconds for a server that says nothing, and leaves nothing behind', async () => {
    const { channel, end, clock } = begin([silent]);
    await turn();
    clock.advance(59_999);
    await turn();
    expect(channel.living).toBe(1);
    clock.advance(1);
    const error = await end;
    expect(isTimeoutError(error)).toBe(true);
    expect(error).toMatchObject({ limit: 'connect', ms: 60_000, phase: 'connect' });
    expect([channel.peers.length, channel.living, clock.pending]).toEqual([1, 0, 0]);
  });

  it('begins anew with each sign on stderr, up to 5 minutes in all', async () => {
    const { channel, end, clock } = begin([silent]);
    await turn();
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(59_000);
      await turn();
      expect(channel.living).toBe(1);
      channel.peers[0]?.activity('stderr');
    }
    clock.advance(4999);
    await turn();
    expect(channel.living).toBe(1);
    clock.advance(1);
    expect(await end).toMatchObject({ limit: 'connect', ms: 300_000 });
    expect([channel.living, clock.pending]).toEqual([0, 0]);
  });

  it('says what the server printed instead of an answer', async () => {
    const { channel, end, clock } = begin([silent]);
    await turn();
    const noise = { kind: 'stdout-noise', message: 'a line that is not JSON' };
    for (const _ of [1, 2, 3]) channel.peers[0]?.diagnostic(noise);
    clock.advance(60_000);
    expect(await end).toMatchObject({
      message: expect.stringMatching(
        /did not answer within 60000 ms; it printed 3 lines on stdout that are no messages/,
      ),
      hint: expect.stringContaining('What it logs belongs on stderr'),
    });
  });

  it('is not put off by output on stdout', async () => {
    const { channel, end, clock } = begin([silent]);
    await turn();
    clock.advance(59_000);
    channel.peers[0]?.activity('output');
    clock.advance(1000);
    expect(await end).toMatchObject({ limit: 'connect', ms: 60_000 });
    expect(clock.pending).toBe(0);
  });

  it.each([
    { connect: 1500, connectTotal: 300_000 },
    { connect: 60_000, connectTotal: 1500 },
  ])(
    'leaves a server that ignores the probe the time to answer initialize, also when it is short (%o)',
    async limits => {
      const { channel, end, clock } = begin([deaf], { limits });
      await turn();
      clock.advance(499);
      await turn();
      expect(channel.peers[0]?.methods).toEqual(['server/discover']);
      clock.advance(1);
      await turn();
      expect(channel.peers[0]?.methods.slice(0, 2)).toEqual(['server/discover', 'initialize']);
      clock.advance(100);
      expect(await end).toMatchObject({ era: { revision: '2025-11-25' } });
    },
  );

  it('closes in a hurry when it is over, and hurries what is closing already', async () => {
    const dyingThenSilent: Script = (message, peer) =>
      message.method === 'initialize' ? peer.refuse(message, -32603) : peer.refuse(message, -32601);
    const hurried = begin([dyingThenSilent, silent]);
    await turn();
    expect(hurried.channel.peers.length).toBe(2);
    expect(hurried.channel.hurries).toEqual([0, 0]);
    hurried.clock.advance(60_000);
    expect(await hurried.end).toMatchObject({ limit: 'connect' });
    expect(hurried.channel.hurries).toEqual([1, 1]);
  });

  it('holds for the fresh connection too', async () => {
    const dyingThenSilent: Script = (_message, peer) => peer.exit();
    const { channel, end, clock } = begin([dyingThenSilent, silent]);
    await turn();
    expect(channel.peers.length).toBe(2);
    clock.advance(60_000);
    expect(await end).toMatchObject({ limit: 'connect' });
    expect([channel.living, clock.pending]).toEqual([0, 0]);
  });

  it('holds while the channel is still opening', async () => {
    const opening = (signal: AbortSignal | undefined): Promise<void> =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const { channel, end, clock } = begin([silent], {}, { opening });
    await turn();
    clock.advance(60_000);
    expect(await end).toMatchObject({ limit: 'connect' });
    expect([channel.peers.length, clock.pending]).toEqual([0, 0]);
  });

  it('is over once connected: a talkative server is left alone and no timer stays', async () => {
    const { channel, opened, clock } = begin([stateless]);
    await opened;
    channel.peers[0]?.activity('stderr');
    expect(clock.pending).toBe(0);
  });
});

describe('aborting the connect', () => {
  const steps: readonly (readonly [string, readonly Script[], (clock: Clock) => void | Promise<void>])[] = [
    ['while the probe is unanswered', [silent], () => {}],
    ['while both opening messages are unanswered', [silent], clock => clock.advance(3000)],
    [
      'while initialize is unanswered after a refused probe',
      [
        (message, peer) => {
          if (message.method === 'server/discover') peer.refuse(message, -32601);
        },
      ],
      () => {},
    ],
    [
      'while an early answer to initialize waits for the probe',
      [deaf],
      async clock => {
        clock.advance(3000);
        await turn();
      },
    ],
    ['while the fresh connection is silent', [(_message, peer) => peer.exit(), silent], () => {}],
  ];

  for (const [name, scripts, proceed] of steps) {
    it(`${name} rejects with the reason and closes everything`, async () => {
      const controller = new AbortController();
      const { channel, end, clock } = begin(scripts, { signal: controller.signal });
      await turn();
      await proceed(clock);
      await turn();
      const reason = new Error('changed my mind');
      controller.abort(reason);
      expect(await end).toBe(reason);
      expect([channel.living, clock.pending]).toEqual([0, 0]);
      // Whatever was asked is not cancelled by a message: initialize must not be.
      expect(channel.peers.flatMap(({ methods }) => methods)).not.toContain('notifications/cancelled');
    });
  }

  it('before it began opens nothing', async () => {
    const { channel, end, clock } = begin([stateless], { signal: AbortSignal.abort('no') });
    expect(await end).toBe('no');
    expect([channel.peers.length, clock.pending]).toEqual([0, 0]);
  });

  it('for a pinned revision closes everything as well', async () => {
    for (const protocol of ['2025-11-25', '2026-07-28'] as const) {
      const controller = new AbortController();
      const { channel, end, clock } = begin([silent], { protocol, signal: controller.signal });
      await turn();
      controller.abort('no');
      expect(await end).toBe('no');
      expect([channel.peers.length, channel.living, clock.pending]).toEqual([1, 0, 0]);
    }
  });

  it('after it has succeeded changes nothing', async () => {
    const controller = new AbortController();
    const { channel, opened, losses } = begin([refusing(-32601)], { signal: controller.signal });
    await opened;
    controller.abort('too late');
    await turn();
    expect([channel.living, losses.length]).toEqual([1, 0]);
  });
});

describe('a connection that is lost', () => {
  it('after it was chosen is told once; the ones before it are not', async () => {
    const { channel, opened, losses } = begin([strict]);
    await opened;
    expect(losses).toEqual([]);
    channel.peers[1]?.exit();
    channel.peers[1]?.exit();
    expect(losses.map(({ reason }) => reason)).toEqual(['exited']);
  });

  it('in the moment of the answer is told as well', async () => {
    const brief: Script = (message, peer) => {
      if (message.method !== 'server/discover') return;
      stateless(message, peer);
      peer.exit();
    };
    const { opened, losses } = begin([brief]);
    const { era } = await opened;
    expect(losses.map(({ reason }) => reason)).toEqual(['exited']);
    await expect(era.call('tools/list', {}, { limits: { idle: 1, total: 1 } })).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'not-sent',
      phase: 'tools/list',
    });
  });
});

type Clock = ReturnType<typeof negotiation>['clock'];
