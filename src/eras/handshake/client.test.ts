import { describe, expect, it } from 'vitest';
import { answering, initialized } from '../../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import {
  type Peer,
  type Script,
  scriptedChannel,
  turn,
} from '../../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../../test/fixtures/eras/seat.ts';
import type { ClientSeat } from '../era.ts';
import { negotiate } from '../negotiate.ts';

guardRejections();

async function connect(
  answer: object,
  seat: Partial<ClientSeat> = {},
  more: Parameters<typeof answering>[0] = {},
) {
  const script: Script = answering({ initialize: (message, peer) => peer.reply(message, answer), ...more });
  const channel = scriptedChannel([script]);
  const options = negotiation({ protocol: '2025-11-25' });
  const own = clientSeat(seat);
  const { era, link } = await negotiate(channel, own, options);
  const [peer] = channel.peers as [Peer];
  return { era, link, peer, logs: own.logs, ...options };
}

describe('a client in the handshake era', () => {
  it('knows what the server said of itself', async () => {
    const serverInfo = { name: 's', version: '1', title: 'S', odd: true };
    const { era } = await connect({ ...initialized(), serverInfo, instructions: 'i', adapter: {} });
    expect(era.server).toEqual({ info: serverInfo, capabilities: { tools: {} }, instructions: 'i' });
  });

  it('makes do with a server that says little or odd things', async () => {
    const odd = { protocolVersion: '2025-11-25', capabilities: [], serverInfo: null, instructions: 5 };
    expect((await connect(odd)).era.server).toEqual({
      info: { name: 'unknown', version: '0' },
      capabilities: {},
    });
  });

  it('says what it can do and sends initialized before anything else', async () => {
    const { era, peer } = await connect(initialized(), { capabilities: { roots: {} } });
    void era.call('tools/list', {}, { limits }).catch(() => {});
    expect(peer.sent[0]?.params).toMatchObject({ capabilities: { roots: {} } });
    expect(peer.methods).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    peer.exit();
  });

  it('gives every call a progress token, its id', async () => {
    const { era, peer } = await connect(initialized());
    void era.call('tools/call', { name: 'x' }, { limits }).catch(() => {});
    const { id, params } = peer.sent.at(-1) ?? {};
    expect(params).toEqual({ name: 'x', _meta: { progressToken: id } });
    peer.exit();
  });

  it('tells the server when it no longer waits, with a fixed reason', async () => {
    const { era, peer } = await connect(initialized());
    const controller = new AbortController();
    const end = era.call('tools/call', {}, { limits, signal: controller.signal });
    controller.abort(new Error('secret'));
    await expect(end).rejects.toThrow('secret');
    expect(peer.sent.at(-1)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 2, reason: 'the client no longer waits for it' },
    });
  });

  it('notes progress that belongs to none of its calls, or says nothing', async () => {
    const { peer, diagnostics } = await connect(initialized());
    for (const params of [
      undefined,
      {},
      { progressToken: 9, progress: 1 },
      { progressToken: {}, progress: 1 },
    ]) {
      peer.notify('notifications/progress', params);
    }
    const kinds = diagnostics.map(({ kind }) => kind).filter(kind => kind !== 'era');
    expect(kinds).toEqual(Array.from({ length: 4 }, () => 'unknown-progress'));
  });

  it('takes a result that is no object for an empty one', async () => {
    const { era } = await connect(
      initialized(),
      {},
      {
        'tools/list': (message, peer) => peer.reply(message, message.id === 2 ? null : ['x']),
      },
    );
    expect(await era.call('tools/list', {}, { limits })).toEqual({ value: {} });
    expect(await era.call('tools/list', {}, { limits })).toEqual({ value: {} });
  });
});

describe('log messages', () => {
  const logging = { ...initialized(), capabilities: { logging: {} } };

  it('are asked for at the level that is wanted, where the server has any', async () => {
    expect((await connect(logging, { logLevel: 'error' })).peer.sent.at(-1)).toMatchObject({
      method: 'logging/setLevel',
      params: { level: 'error' },
    });
    for (const [answer, seat] of [
      [logging, {}],
      [initialized(), { logLevel: 'error' }],
    ] as const) {
      expect((await connect(answer, seat)).peer.methods).not.toContain('logging/setLevel');
    }
  });

  it('are not worth a failed connect when the server refuses the level', async () => {
    const { era, diagnostics } = await connect(
      logging,
      { logLevel: 'error' },
      {
        'logging/setLevel': (message, peer) => peer.refuse(message, -32603),
      },
    );
    await turn();
    expect(era.revision).toBe('2025-11-25');
    expect(diagnostics.at(-1)).toMatchObject({ kind: 'log-level', data: { code: -32603 } });
  });

  it('with an odd level count as info, and are kept whatever they hold', async () => {
    const { peer, logs } = await connect(initialized());
    peer.notify('notifications/message', { level: 'loud', logger: 7, data: null });
    peer.notify('notifications/message', { level: 'alert', logger: 'l', data: [1] });
    peer.notify('notifications/message');
    expect(logs).toEqual([
      { level: 'info', data: null },
      { level: 'alert', logger: 'l', data: [1] },
      { level: 'info', data: undefined },
    ]);
  });
});
