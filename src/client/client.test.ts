import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { plainClient, plainServer, sent } from '../../test/fixtures/plain-server.ts';
import { manualClock } from '../basics/manual-clock.ts';
import { TimeoutError } from '../basics/timeout-error.ts';
import type { Channel, Receiver } from '../channels/channel.ts';
import { memoryChannel } from '../channels/memory.ts';
import { EraMemory, revisions } from '../eras/index.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import type { Message } from '../rpc/message.ts';
import { ProtocolError } from '../rpc/protocol-error.ts';
import { Server } from '../server/server.ts';
import { tool } from '../tools/tool.ts';
import { connect } from './client.ts';

const never = () => new Promise(() => {});
const turn = () => new Promise(setImmediate);

/** A channel that counts what is open and lets the test speak for the server. */
function watched(answer: (message: Message, receiver: Receiver) => void) {
  const state = { open: 0, receivers: [] as Receiver[], headers: [] as unknown[] };
  const channel: Channel = {
    label: 'watched',
    async open(receiver, { signal }) {
      signal?.throwIfAborted();
      state.open += 1;
      state.receivers.push(receiver);
      let isOpen = true;
      return {
        replyStreams: false,
        send: (message, options) => {
          state.headers.push(options?.headers);
          queueMicrotask(() => isOpen && answer(message, receiver));
        },
        abandon() {},
        async close() {
          if (isOpen) state.open -= 1;
          isOpen = false;
        },
      };
    },
  };
  return { channel, state };
}

describe('connecting that fails leaves nothing open', () => {
  it('when the server never answers and the limit runs out', async () => {
    const clock = manualClock();
    const { channel, state } = watched(() => {});
    const connecting = connect(channel, { clock, timeouts: { connect: 1000 }, eraMemory: new EraMemory() });
    const failed = expect(connecting).rejects.toThrow('connect: watched did not answer within 1000 ms');
    await turn();
    expect(state.open).toBe(1);
    clock.advance(1000);
    await failed;
    expect(state.open).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('when the signal aborts before it begins or while the server is silent', async () => {
    const reason = new Error('changed my mind');
    const before = watched(() => {});
    await expect(connect(before.channel, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(before.state.receivers).toEqual([]);

    const waiting = watched(() => {});
    const clock = manualClock();
    const controller = new AbortController();
    const connecting = connect(waiting.channel, { signal: controller.signal, clock });
    const failed = expect(connecting).rejects.toBe(reason);
    await turn();
    controller.abort(reason);
    await failed;
    expect(waiting.state.open).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('when the server refuses everything', async () => {
    const { channel, state } = watched((message, receiver) => {
      const { id } = message as { id: number };
      receiver.message({ jsonrpc: '2.0', id, error: { code: -32000, message: 'no' } });
    });
    const clock = manualClock();
    await expect(connect(channel, { clock, eraMemory: new EraMemory() })).rejects.toThrow(ProtocolError);
    expect(state.open).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('when the server speaks no revision that we know', async () => {
    const server = plainServer({ initialize: () => ({ protocolVersion: 'tomorrow', capabilities: {} }) });
    const connecting = connect(memoryChannel(server), { eraMemory: new EraMemory() });
    await expect(connecting).rejects.toMatchObject({ name: 'VersionError', offered: ['tomorrow'] });
    expect(server.closings).toHaveLength(1);
  });

  it('when the channel cannot be opened', async () => {
    const facts = { phase: 'spawn', reason: 'command-not-found', outcome: 'not-sent' } as const;
    const error = new ConnectionError('there is no such command', facts);
    const clock = manualClock();
    const channel: Channel = { label: 'broken', open: () => Promise.reject(error) };
    await expect(connect(channel, { clock })).rejects.toBe(error);
    expect(clock.pending).toBe(0);
  });
});

describe('a client', () => {
  it('blames arguments that no JSON can hold, and not the server', async () => {
    const error = { code: -32603, message: 'the message was not sent' };
    const { channel } = watched((message, receiver) => {
      if (!('method' in message) || !('id' in message)) return;
      const { id, method, params } = message;
      if (method === 'tools/call') return receiver.message({ jsonrpc: '2.0', id, error });
      const protocolVersion = params?.['protocolVersion'];
      const result = { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } };
      receiver.message({ jsonrpc: '2.0', id, result });
    });
    const client = await connect(channel, { protocol: revisions[0] as never });
    const call = client.call('a', { x: 10n });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(/^the arguments of a cannot be written as JSON: /);
    await expect(client.call('a', { x: 1 })).rejects.toThrow(ProtocolError);
    await client.close();
  });

  it('asks a server that offers no tools for none, and has none to list', async () => {
    const { client, server } = await plainClient({}, {}, {});
    expect(await client.tools().all()).toEqual([]);
    expect(sent(server, 'tools/list')).toEqual([]);
    expect(client.diagnostics.map(({ kind }) => kind)).toContain('not-offered');
    await client.close();
  });

  it('says why a list that was offered is refused', async () => {
    const { client } = await plainClient({});
    const refused = client.tools().all();
    await expect(refused).rejects.toThrow(ProtocolError);
    await expect(refused).rejects.toThrow('tools/list');
    expect((await client.call('x').catch((error: unknown) => error)) as ProtocolError).toMatchObject({
      code: -32601,
      method: 'tools/call',
    });
    await client.close();
  });

  it('fails a list that changes between two pages with the reason of the server', async () => {
    const one = (name: string) => tool({ name, description: '', run: () => name });
    const server = new Server({ name: 's', version: '1', pageSize: 1, tools: [one('a'), one('b')] });
    const client = await connect(server);
    const list = client.tools()[Symbol.asyncIterator]();
    expect((await list.next()).value).toMatchObject({ name: 'a' });
    server.update({ tools: [one('c'), one('d')] });
    await expect(list.next()).rejects.toThrow('list from the beginning');
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(['c', 'd']);
    await client.close();
  });

  it('sends the headers and _meta of a call beside its own', async () => {
    const { channel, state } = watched((message, receiver) => {
      if (!('id' in message) || !('method' in message)) return;
      const { id, method, params } = message;
      const result =
        method === 'initialize'
          ? { protocolVersion: params?.['protocolVersion'], capabilities: { tools: {} } }
          : { content: [], _meta: params?.['_meta'] };
      if (method === 'initialize' || method === 'tools/call')
        receiver.message({ jsonrpc: '2.0', id, result });
      else receiver.message({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
    });
    const client = await connect(channel, { eraMemory: new EraMemory() });
    const result = await client.call('a', {}, { headers: { 'x-tenant': 'blue' }, meta: { 'a.b/c': 1 } });
    expect(result._meta).toEqual({ 'a.b/c': 1, progressToken: expect.any(Number) });
    expect(state.headers.at(-1)).toEqual({ 'x-tenant': 'blue' });
    await client.close();
  });

  it('ends a call at its own limit, and the others at theirs', async () => {
    const clock = manualClock();
    const { client, server } = await plainClient({ 'tools/call': never }, { clock, timeouts: { idle: 500 } });
    const own = client.call('a', {}, { timeouts: { idle: 100 } }).catch((error: unknown) => error);
    const usual = client.call('b').catch((error: unknown) => error);
    await turn();
    clock.advance(100);
    expect(await own).toMatchObject({ name: 'TimeoutError', limit: 'idle', ms: 100, phase: 'tools/call' });
    clock.advance(400);
    expect(await usual).toBeInstanceOf(TimeoutError);
    await turn();
    expect(sent(server, 'notifications/cancelled')).toHaveLength(2);
  });

  it('says a fixed reason to the peer when a call is aborted, whatever the signal holds', async () => {
    const { client, server } = await plainClient({ 'tools/call': never });
    const controller = new AbortController();
    const call = client.call('a', {}, { signal: controller.signal }).catch((error: unknown) => error);
    await turn();
    controller.abort(new Error('a private reason'));
    await call;
    await turn();
    expect(JSON.stringify(sent(server, 'notifications/cancelled'))).not.toContain('private');
  });

  it('keeps at most so many requests in flight, in order', async () => {
    const finish: (() => void)[] = [];
    const { client, server } = await plainClient(
      {
        'tools/call': () =>
          new Promise(resolve => {
            finish.push(() => resolve({ content: [] }));
          }),
      },
      { maxInFlight: 2 },
    );
    const calls = ['a', 'b', 'c', 'd'].map(name => client.call(name));
    const names = () => sent(server, 'tools/call').map(({ params }) => params?.['name']);
    await turn();
    expect(names()).toEqual(['a', 'b']);
    finish.shift()?.();
    await calls[0];
    await turn();
    expect(names()).toEqual(['a', 'b', 'c']);
    while (finish.length > 0) {
      finish.shift()?.();
      await turn();
    }
    await Promise.all(calls);
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
    await client.close();
  });

  it('is closed by `await using`', async () => {
    const server = plainServer({});
    {
      await using client = await connect(memoryChannel(server), { eraMemory: new EraMemory() });
      expect(client.server.name).toBe('plain');
      expect(server.closings).toEqual([]);
    }
    expect(server.closings).toHaveLength(1);
  });

  it.each([revisions.at(-1), revisions.at(-2)])(
    'lets go of the signal of a watcher that leaves, ends or is closed (%s)',
    async protocol => {
      const server = new Server({ name: 's', version: '1' });
      const client = await connect(server, { protocol: protocol ?? 'auto' });
      const { signal } = new AbortController();
      const watch = () => client.watch({ tools: true }, { signal })[Symbol.asyncIterator]();
      const leaves = watch();
      const first = leaves.next();
      await turn();
      server.update({ tools: [] });
      expect(await first).toEqual({ done: false, value: { kind: 'tools' } });
      await leaves.return?.();
      expect(await leaves.next()).toMatchObject({ done: true });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      const open = watch().next();
      await client.close();
      expect(await open).toMatchObject({ done: true });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
    },
  );

  it('fails what waits for changes when the connection is lost', async () => {
    const { channel, state } = watched((message, receiver) => {
      const { id, method, params } = message as { id?: number; method: string; params?: object };
      if (id === undefined) return;
      const result = { capabilities: {}, ...params };
      if (method === 'initialize') receiver.message({ jsonrpc: '2.0', id, result });
      else receiver.message({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
    });
    const client = await connect(channel, { eraMemory: new EraMemory() });
    const next = client.watch({ tools: true })[Symbol.asyncIterator]().next();
    const facts = { phase: 'read', reason: 'exited', outcome: 'unknown' } as const;
    state.receivers.at(-1)?.closed(new ConnectionError('the server exited', facts));
    await expect(next).rejects.toThrow('the server exited');
    await expect(client.call('a')).rejects.toMatchObject({ outcome: 'not-sent', phase: 'tools/call' });
    await client.close();
    await client.close();
  });
});
