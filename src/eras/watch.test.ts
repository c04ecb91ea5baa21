import { describe, expect, it } from 'vitest';
import { join, type Pairing, pairings } from '../../test/fixtures/eras/joined.ts';
import { discovered } from '../../test/fixtures/eras/openings.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { type Peer, scriptedChannel, turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat, limits, negotiation } from '../../test/fixtures/eras/seat.ts';
import type { Change } from '../protocol/change.ts';
import { negotiate } from './negotiate.ts';

guardRejections();

const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

/** Reads changes until the end, and gives them with how it came. */
async function read(changes: AsyncIterable<Change>): Promise<readonly [Change[], unknown]> {
  const seen: Change[] = [];
  try {
    for await (const change of changes) seen.push(change);
    return [seen, 'end'];
  } catch (thrown) {
    return [seen, thrown];
  }
}

async function watching(pairing: Pairing) {
  const router = testRouter({}, { info: { name: 'plain', version: '1' }, capabilities });
  const joined = await join(pairing, router);
  const controller = new AbortController();
  return { router, ...joined, controller };
}

describe.each(pairings)('watching in the %s era over %s', (...pairing) => {
  it('tells the changes of the kinds that were asked for, until it is stopped', async () => {
    const { router, era, controller } = await watching(pairing);
    const tools = read(era.watch({ tools: true }, controller.signal));
    const both = read(era.watch({ tools: true, prompts: true }, controller.signal));
    await turn();
    for (const kind of ['tools', 'resources', 'prompts', 'tools'] as const) router.change({ kind });
    await turn();
    controller.abort();
    const [tool, prompt] = [{ kind: 'tools' }, { kind: 'prompts' }];
    expect(await tools).toEqual([[tool, tool], 'end']);
    expect(await both).toEqual([[tool, prompt, tool], 'end']);
    await turn();
    router.change({ kind: 'tools' });
    // What stays is the session's own listener, where there is one.
    expect(router.listeners).toBe(pairing[0] === 'stateless' ? 0 : 1);
  });

  it('ends for the server when its reader leaves', async () => {
    const { router, era, controller, link } = await watching(pairing);
    const changes = era.watch({ tools: true }, controller.signal);
    const first = (async () => {
      for await (const change of changes) return change;
      return undefined;
    })();
    await turn();
    router.change({ kind: 'tools' });
    expect(await first).toEqual({ kind: 'tools' });
    await turn();
    expect(link.inflight.size).toBe(0);
    expect(router.listeners).toBe(pairing[0] === 'stateless' ? 0 : 1);
  });

  it('ends quietly when the client closes, and fails when the connection is lost', async () => {
    const { era, controller, link, options } = await watching(pairing);
    const first = read(era.watch({ tools: true }, controller.signal));
    await turn();
    era.close();
    expect(await first).toEqual([[], 'end']);

    const other = await watching(pairing);
    const second = read(other.era.watch({ tools: true }, other.controller.signal));
    await turn();
    await other.link.close();
    for (const loss of other.options.losses) other.era.lost(loss);
    expect(await second).toEqual([[], expect.objectContaining({ name: 'ConnectionError' })]);
    await link.close();
    expect(options.losses).toHaveLength(1);
  });

  it('that was stopped before it began tells nothing', async () => {
    const { era, link } = await watching(pairing);
    expect(await read(era.watch({ tools: true }, AbortSignal.abort()))).toEqual([[], 'end']);
    await turn();
    expect(link.inflight.size).toBe(0);
  });
});

describe('a subscription of the stateless era', () => {
  const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

  async function against() {
    const channel = scriptedChannel([
      (message, peer) => {
        if (message.method === 'server/discover') peer.reply(message, discovered);
      },
    ]);
    const options = negotiation({ protocol: '2026-07-28' });
    const { era, link } = await negotiate(channel, clientSeat(), options);
    const [peer] = channel.peers as [Peer];
    const controller = new AbortController();
    const changes = read(era.watch({ tools: true, uris: ['file:///a'] }, controller.signal));
    await turn();
    const listen = peer.sent.at(-1);
    const tell = (tag: unknown): void =>
      peer.notify('notifications/tools/list_changed', { _meta: { [subscriptionId]: tag } });
    return { era, link, peer, options, controller, changes, listen, tell };
  }

  it('asks with its filter and an id above 0, which some servers take for none', async () => {
    const { listen, controller } = await against();
    expect(listen).toMatchObject({
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///a'] } },
    });
    expect(listen?.id).toBeGreaterThan(0);
    controller.abort();
  });

  it('takes its tag as number or text, and notes a change that belongs to none', async () => {
    const { changes, controller, listen, options, tell } = await against();
    tell(listen?.id);
    tell(String(listen?.id));
    tell('another');
    tell(undefined);
    await turn();
    controller.abort();
    expect((await changes)[0]).toHaveLength(2);
    expect(options.diagnostics.filter(({ kind }) => kind === 'unknown-subscription')).toHaveLength(2);
  });

  it('notes what the server will tell of', async () => {
    const { peer, controller, listen, options } = await against();
    const _meta = { [subscriptionId]: listen?.id };
    peer.notify('notifications/subscriptions/acknowledged', { _meta, notifications: {} });
    expect(options.diagnostics.at(-1)).toMatchObject({ kind: 'watching', data: { honoured: {} } });
    controller.abort();
  });

  it('has no limit of time', async () => {
    const { changes, controller, listen, options, tell } = await against();
    options.clock.advance(100 * limits.total);
    tell(listen?.id);
    await turn();
    controller.abort();
    expect(await changes).toEqual([[{ kind: 'tools' }], 'end']);
  });

  it('ends when the server ends it, by its result or by a cancellation', async () => {
    const one = await against();
    one.tell(one.listen?.id);
    if (one.listen) one.peer.reply(one.listen, { resultType: 'complete' });
    expect(await one.changes).toEqual([[{ kind: 'tools' }], 'end']);
    expect(one.peer.methods).not.toContain('notifications/cancelled');
    const other = await against();
    other.peer.notify('notifications/cancelled', { requestId: other.listen?.id });
    expect(await other.changes).toEqual([[], 'end']);
    expect([one.link.inflight.size, other.link.inflight.size]).toEqual([0, 0]);
  });

  it('fails with the error that the server refuses it with', async () => {
    const { changes, listen, peer } = await against();
    if (listen) peer.refuse(listen, -32601);
    expect(await changes).toEqual([[], expect.objectContaining({ code: -32601 })]);
  });

  it('is cancelled by a notification where all share one pipe', async () => {
    const { changes, controller, listen, peer } = await against();
    controller.abort();
    await changes;
    expect(peer.sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: listen?.id },
    });
  });

  it('finds requests of its server, which may not send any, noted and unanswered', async () => {
    const { controller, options, peer } = await against();
    const before = peer.sent.length;
    peer.emit({ jsonrpc: '2.0', id: 1, method: 'roots/list' });
    expect(options.diagnostics.at(-1)).toMatchObject({ kind: 'unexpected-request' });
    expect(peer.sent.length).toBe(before);
    controller.abort();
  });
});
