import { describe, expect, it } from 'vitest';
import type { Channel, Connection, Receiver } from '../channels/channel.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import { channelSuite } from './channel-suite.ts';
import { channelSuiteServer } from './channel-suite-server.ts';
import { memory } from './memory.ts';

type Twist = (
  receiver: Receiver,
  connect: (receiver: Receiver) => Promise<Connection>,
) => Promise<Connection>;

/** A channel in memory that goes wrong in one way. */
function twisted(twist: Twist, replyStreams = false): Channel {
  const inner = memory(channelSuiteServer(), { replyStreams });
  return {
    label: 'twisted',
    open: (receiver, options) => twist(receiver, own => inner.open(own, options)),
  };
}

/** A receiver that behaves as `receiver` but for some functions. */
const instead = (receiver: Receiver, changes: Partial<Receiver>): Receiver => ({
  message: (value, of) => receiver.message(value, of),
  ended: (of, error) => receiver.ended(of, error),
  closed: error => receiver.closed(error),
  activity: kind => receiver.activity(kind),
  diagnostic: each => receiver.diagnostic(each),
  ...changes,
});

/** The sentences that do not hold, and why. */
async function faults(channel: Channel, replyStreams = false): Promise<Map<string, string>> {
  const failed = new Map<string, string>();
  const tests: [string, () => Promise<void>][] = [];
  channelSuite(() => ({ channel }), { test: (name, run) => tests.push([name, run]), replyStreams });
  for (const [name, run] of tests) {
    await run().catch((error: unknown) => failed.set(name, String(error)));
  }
  return failed;
}

describe('the channel suite', () => {
  it('holds for the channel in memory, in both shapes', async () => {
    expect(await faults(memory(channelSuiteServer()))).toEqual(new Map());
    expect(await faults(memory(channelSuiteServer(), { replyStreams: true }), true)).toEqual(new Map());
  });

  it.each<[string, string, Twist]>([
    [
      'changes the order of what the server sends',
      'delivers what the server sends, in order and before the answer',
      (receiver, connect) =>
        connect(
          instead(receiver, {
            message(value) {
              const { method } = value as { method?: string };
              if (method === 'counted') setImmediate(() => receiver.message(value));
              else receiver.message(value);
            },
          }),
        ),
    ],
    [
      'loses line separators',
      'carries line breaks, control characters and all of unicode in strings',
      (receiver, connect) =>
        connect(
          instead(receiver, {
            message: value => receiver.message(JSON.parse(JSON.stringify(value).replaceAll('\u2028', ' '))),
          }),
        ),
    ],
    [
      'delivers after the end',
      'tells the end once, and delivers nothing afterwards',
      (receiver, connect) =>
        connect(
          instead(receiver, {
            closed(error) {
              receiver.closed(error);
              setImmediate(() => receiver.message({ jsonrpc: '2.0', method: 'late' }));
            },
          }),
        ),
    ],
    [
      'tells the end twice',
      'closes twice, and while requests run',
      async (receiver, connect) => {
        const connection = await connect(receiver);
        const facts = { phase: 'close', reason: 'closed', outcome: 'unknown' } as const;
        return Object.assign(Object.create(connection) as Connection, {
          replyStreams: false,
          send: connection.send.bind(connection),
          close: async () => {
            await connection.close();
            receiver.closed(new ConnectionError('again', facts));
          },
        });
      },
    ],
    [
      'opens although its signal has aborted',
      'does not open when its signal has aborted before',
      receiver => memory(channelSuiteServer()).open(receiver, { clock: { now: () => 0, after: never } }),
    ],
  ])('finds a channel that %s', async (_fault, sentence, twist) => {
    expect([...(await faults(twisted(twist))).keys()]).toContain(sentence);
  });

  it('finds messages on a reply stream that is not theirs', async () => {
    const channel = twisted(
      (receiver, connect) => connect(instead(receiver, { message: value => receiver.message(value, 1) })),
      true,
    );
    expect([...(await faults(channel, true)).keys()]).toContain(
      'brings what belongs to a request on the stream of that request',
    );
  });

  it('finds connections that are left behind', async () => {
    const tests: [string, () => Promise<void>][] = [];
    channelSuite(() => ({ channel: memory(channelSuiteServer()), connections: () => 1 }), {
      test: (name, run) => tests.push([name, run]),
    });
    await expect(tests[0]?.[1]()).rejects.toThrow('connections that were left behind: 1');
  });
});

function never(): { cancel(): void } {
  return { cancel() {} };
}
