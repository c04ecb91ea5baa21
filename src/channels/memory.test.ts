import { describe, expect, it, vi } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import type { ConnectionError } from '../rpc/connection-error.ts';
import type { Id, Message } from '../rpc/message.ts';
import type { Acceptor, Exchange, Receiver } from './channel.ts';
import { memoryChannel } from './memory.ts';

/** A server that does what the test says, and a client that keeps what comes. */
async function open(options: Parameters<typeof memoryChannel>[1] = {}) {
  const received: { readonly value: unknown; readonly exchange: Exchange }[] = [];
  const closings: unknown[] = [];
  const told: string[] = [];
  let standing: Exchange = { send: () => {} };
  let accepted: unknown;
  const acceptor: Acceptor = {
    accept(given, facts) {
      standing = given;
      accepted = facts;
      return {
        receive: (value, exchange) => void received.push({ value, exchange }),
        unreadable: () => {},
        running: 0,
        close: async reason => void closings.push(reason),
      };
    },
  };
  const receiver: Receiver = {
    message: (value, of) => told.push(`${JSON.stringify(value)}${of === undefined ? '' : ` of ${of}`}`),
    ended: of => told.push(`ended ${of}`),
    closed: error => told.push(`closed ${error.reason}`),
    activity: () => {},
    diagnostic: () => {},
  };
  const clock = manualClock();
  const connection = await memoryChannel(acceptor, options).open(receiver, { clock });
  const turn = (): Promise<unknown> => new Promise(resolve => setImmediate(resolve));
  return { received, closings, told, connection, clock, turn, standing, accepted };
}

const ask = (id: Id): Message => ({ jsonrpc: '2.0', id, method: 'm' });
const answer = (id: Id): Message => ({ jsonrpc: '2.0', id, result: {} });
const note: Message = { jsonrpc: '2.0', method: 'n' };

describe('a channel in memory', () => {
  it('hands messages over in order, later than the call that sent them', async () => {
    const { received, told, connection, standing, turn, accepted, clock } = await open();
    connection.send(ask(1));
    connection.send(note);
    expect(received).toEqual([]);
    await turn();
    expect(received.map(({ value }) => value)).toEqual([ask(1), note]);
    standing.send(note);
    standing.send([answer(1), answer(2)]);
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual([JSON.stringify(note), JSON.stringify([answer(1), answer(2)])]);
    expect(accepted).toEqual({ clock, replyStreams: false });
  });

  it('lets what a receiver throws surface as an exception, not as a rejection', async () => {
    const surfaced = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {});
    const acceptor: Acceptor = {
      accept: () => ({
        receive: () => {
          throw new Error('a bug');
        },
        unreadable: () => {},
        running: 0,
        close: async () => {},
      }),
    };
    const receiver = { message() {}, ended() {}, closed() {}, activity() {}, diagnostic() {} };
    const connection = await memoryChannel(acceptor).open(receiver, { clock: manualClock() });
    connection.send(note);
    await new Promise(resolve => setImmediate(resolve));
    const [thrower] = surfaced.mock.calls.map(([run]) => run);
    surfaced.mockRestore();
    expect(thrower).toThrow('a bug');
  });

  it('has one exchange for everything on one pipe, and leaving a reply does nothing', async () => {
    const { received, connection, standing, turn } = await open();
    connection.send(ask(1));
    connection.send(ask(2));
    connection.abandon(1);
    await turn();
    expect(received.map(({ exchange }) => exchange === standing)).toEqual([true, true]);
    expect(standing.signal).toBe(undefined);
  });

  it('opens nothing for a signal that has aborted', async () => {
    const acceptor: Acceptor = {
      accept: () => {
        throw new Error('accepted');
      },
    };
    const channel = memoryChannel(acceptor, { label: 'mine' });
    expect(channel.label).toBe('mine');
    const receiver = {} as Receiver;
    const opening = channel.open(receiver, { clock: manualClock(), signal: AbortSignal.abort('no') });
    await expect(opening).rejects.toBe('no');
  });

  it('closes once, tells both ends, and delivers nothing afterwards', async () => {
    const { received, closings, told, connection, standing, turn } = await open();
    connection.send(ask(1));
    standing.send(note);
    await Promise.all([connection.close(), connection.close()]);
    connection.send(ask(2));
    standing.send(note);
    await turn();
    expect(told).toEqual(['closed closed']);
    expect(received).toEqual([]);
    expect(closings.map(reason => (reason as ConnectionError).reason)).toEqual(['closed']);
  });
});

describe('a channel in memory with reply streams', () => {
  it('delivers what a request leads to on its own stream, which ends with the answer', async () => {
    const { received, told, connection, turn, accepted, clock } = await open({ replyStreams: true });
    connection.send(ask(1));
    connection.send(ask('1'));
    await turn();
    const [first, second] = received.map(({ exchange }) => exchange);
    second?.send(note);
    first?.send(answer(1));
    second?.send(answer(99));
    second?.send(answer('1'));
    await turn();
    expect(told).toEqual([
      `${JSON.stringify(note)} of 1`,
      `${JSON.stringify(answer(1))} of 1`,
      'ended 1',
      `${JSON.stringify(answer(99))} of 1`,
      `${JSON.stringify(answer('1'))} of 1`,
      'ended 1',
    ]);
    expect(accepted).toEqual({ clock, replyStreams: true });
  });

  it('tells the server when the client leaves a stream, and drops what still comes on it', async () => {
    const { received, told, connection, turn } = await open({ replyStreams: true });
    connection.send(ask(1));
    await turn();
    const [{ exchange } = { exchange: undefined }] = received;
    expect(exchange?.signal?.aborted).toBe(false);
    connection.abandon(1);
    connection.abandon(1);
    connection.abandon(7);
    expect(exchange?.signal?.aborted).toBe(true);
    exchange?.send(answer(1));
    await turn();
    expect(told).toEqual([]);
  });

  it('ends the stream of a request that was cancelled, to which no answer will come', async () => {
    const { received, told, connection, turn } = await open({ replyStreams: true });
    connection.send(ask(1));
    await turn();
    received[0]?.exchange.dropped?.(1);
    await turn();
    expect(told).toEqual(['ended 1']);
    // Nothing is left of the stream: leaving it later tells nobody.
    connection.abandon(1);
    expect(received[0]?.exchange.signal?.aborted).toBe(false);
  });

  it('has nowhere to answer notifications and responses', async () => {
    const { received, told, connection, turn } = await open({ replyStreams: true });
    connection.send(note);
    connection.send(answer(5));
    await turn();
    for (const { exchange } of received) exchange.send(note);
    await turn();
    expect(received).toHaveLength(2);
    expect(told).toEqual([]);
  });

  it('leaves all streams when it is closed', async () => {
    const { received, connection, turn } = await open({ replyStreams: true });
    connection.send(ask(1));
    connection.send(ask(2));
    await turn();
    await connection.close();
    expect(received.map(({ exchange }) => exchange.signal?.aborted)).toEqual([true, true]);
  });
});
