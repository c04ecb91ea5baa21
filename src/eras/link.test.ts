import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import {
  type Peer,
  type ScriptedOptions,
  scriptedChannel,
  turn,
} from '../../test/fixtures/eras/scripted-channel.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { Diagnostic } from '../channels/channel.ts';
import type { Id } from '../rpc/message.ts';
import { Link } from './link.ts';

guardRejections();

async function open(options: ScriptedOptions = {}) {
  const clock = manualClock();
  const diagnostics: Diagnostic[] = [];
  const channel = scriptedChannel([() => {}], options);
  const settings = { clock, diagnostic: (each: Diagnostic) => void diagnostics.push(each) };
  const link = await Link.open(channel, settings, new AbortController().signal);
  const [peer] = channel.peers as [Peer];
  const given: Id[] = [];
  /** Asks, and gives the outcome as a value. */
  const ask = (method = 'm'): Promise<unknown> =>
    link
      .request(
        link.nextId(),
        {},
        {
          method,
          limits: { idle: 1000, total: 5000 },
          giveUp: id => void given.push(id),
        },
      )
      .catch((thrown: unknown) => thrown);
  return { clock, diagnostics, link, peer, ask, given, kinds: () => diagnostics.map(({ kind }) => kind) };
}

const error = { code: -32700, message: 'cannot read that' };

describe('an answer', () => {
  it('is recognised by its id, whatever else it holds', async () => {
    const { peer, ask, kinds } = await open();
    const calls = [ask(), ask(), ask(), ask()];
    peer.emit({ result: 'c', id: 3 });
    peer.emit({ id: '1', result: 'a', jsonrpc: '2.0', via: 'proxy' });
    peer.emit({ jsonrpc: '2.0', id: 4, error: null, result: 'd' });
    peer.emit([{ jsonrpc: '2.0', id: 2, result: 'b' }]);
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c', 'd']);
    expect(new Set(kinds())).toEqual(new Set(['odd-answer']));
  });

  it('that says nothing fails its call instead of leaving it to wait', async () => {
    const { peer, ask, kinds } = await open();
    const calls = [ask(), ask()];
    peer.emit({ jsonrpc: '2.0', id: 1 });
    peer.emit({ jsonrpc: '2.0', id: 2, error: null });
    for (const end of await Promise.all(calls)) {
      expect(end).toMatchObject({ name: 'ProtocolError', code: -32603, method: 'm' });
    }
    expect(kinds()).toEqual(['invalid-message', 'invalid-message']);
  });

  it('is not seen in a faulty request of the server that happens to have its id', async () => {
    const { link, peer, ask, kinds } = await open();
    void ask();
    peer.emit({ id: 1, method: 'ping' });
    peer.emit({ jsonrpc: '2.0', id: 1, method: 5 });
    expect(link.inflight.size).toBe(1);
    expect(kinds()).toEqual(['invalid-message', 'invalid-message']);
    expect(peer.sent).toHaveLength(1);
  });

  it('to nothing, and everything that is no message, is a diagnostic and is not answered', async () => {
    const { link, peer, ask, kinds } = await open();
    void ask();
    for (const odd of [null, 5, 'x', true, {}, [], [[]], [7], { id: {}, method: 'x' }]) peer.emit(odd);
    peer.emit({ jsonrpc: '2.0', id: 99, result: {} });
    peer.emit({ jsonrpc: '2.0', result: null });
    expect(new Set(kinds())).toEqual(new Set(['invalid-message', 'unknown-response']));
    expect([link.inflight.size, peer.sent.length]).toEqual([1, 1]);
  });

  it('that comes after the call was given up is dropped', async () => {
    const { clock, peer, ask, given, kinds } = await open();
    const call = ask();
    clock.advance(1000);
    expect(await call).toMatchObject({ name: 'TimeoutError', limit: 'idle' });
    expect(given).toEqual([1]);
    peer.emit({ jsonrpc: '2.0', id: 1, result: 'late' });
    expect(kinds()).toEqual(['unknown-response']);
  });
});

describe('an error without id', () => {
  it.each([null, undefined])('(%j) fails the only call in flight after 250 ms', async id => {
    const { clock, peer, ask, kinds } = await open();
    const call = ask('tools/call');
    peer.emit({ jsonrpc: '2.0', ...(id === null ? { id } : {}), error });
    clock.advance(249);
    const later = new Promise(resolve => setImmediate(() => resolve('open')));
    expect(await Promise.race([call, later])).toBe('open');
    clock.advance(1);
    expect(await call).toMatchObject({ name: 'ProtocolError', code: -32700, method: 'tools/call' });
    expect(kinds()).toEqual(['error-without-id']);
  });

  it('leaves the call alone when its own answer follows', async () => {
    const { clock, peer, ask } = await open();
    const call = ask();
    peer.emit({ jsonrpc: '2.0', id: null, error });
    peer.emit({ jsonrpc: '2.0', id: 1, result: 'mine' });
    const next = ask();
    clock.advance(250);
    peer.emit({ jsonrpc: '2.0', id: 2, result: 'next' });
    expect(await Promise.all([call, next])).toEqual(['mine', 'next']);
  });

  it('is only noted when none or several calls are in flight', async () => {
    const { clock, link, peer, ask, kinds } = await open();
    peer.emit({ jsonrpc: '2.0', id: null, error });
    expect(clock.pending).toBe(0);
    void ask();
    void ask();
    peer.emit({ jsonrpc: '2.0', id: null, error });
    clock.advance(500);
    expect(link.inflight.size).toBe(2);
    expect(kinds()).toEqual(['error-without-id', 'error-without-id']);
  });

  it('on a reply stream belongs to the request of that stream', async () => {
    const { peer, ask } = await open({ replyStreams: true });
    const [first, second] = [ask(), ask()];
    peer.emit({ jsonrpc: '2.0', id: null, error }, 1);
    peer.emit({ jsonrpc: '2.0', id: 2, result: 'fine' }, 2);
    expect(await first).toMatchObject({ code: -32700 });
    expect(await second).toBe('fine');
  });

  it('leaves no timer when the connection is lost meanwhile', async () => {
    const { clock, peer, ask } = await open();
    const call = ask();
    peer.emit({ jsonrpc: '2.0', id: null, error });
    peer.exit();
    expect(await call).toMatchObject({ name: 'ConnectionError', reason: 'exited' });
    expect(clock.pending).toBe(0);
  });
});

describe('a callback that throws', () => {
  it('is a diagnostic, and reading goes on', async () => {
    const { link, peer, ask, diagnostics } = await open();
    const broken = (): never => {
      throw new Error('user code');
    };
    link.handOver({ request: broken, notification: broken });
    const call = ask();
    peer.notify('notifications/x');
    peer.emit({ jsonrpc: '2.0', id: 5, method: 'ask/x' });
    peer.emit([
      { jsonrpc: '2.0', method: 'notifications/y' },
      { jsonrpc: '2.0', id: 1, result: 'read' },
    ]);
    expect(await call).toBe('read');
    expect(diagnostics.map(({ kind, message }) => [kind, message])).toEqual([
      ['handler-failed', 'a handler of notifications/x failed: user code'],
      ['handler-failed', 'a handler of ask/x failed: user code'],
      ['handler-failed', 'a handler of notifications/y failed: user code'],
    ]);
  });
});

describe('where each request has a reply stream', () => {
  it('every message on it is a sign of life of that request alone', async () => {
    const { clock, link, peer, ask } = await open({ replyStreams: true });
    link.handOver({ request: () => {}, notification: () => {} });
    const [quiet, lively] = [ask(), ask()];
    clock.advance(900);
    peer.emit({ jsonrpc: '2.0', method: 'notifications/message' }, 2);
    clock.advance(100);
    expect(await quiet).toMatchObject({ name: 'TimeoutError' });
    clock.advance(799);
    expect(link.inflight.size).toBe(1);
    clock.advance(1);
    clock.advance(100);
    expect(await lively).toMatchObject({ name: 'TimeoutError' });
  });

  it('its end without an answer fails the request', async () => {
    const { link, ask } = await open({ replyStreams: true });
    const call = ask();
    link.ended(1);
    link.ended(1);
    expect(await call).toMatchObject({ name: 'ConnectionError', reason: 'stream-ended' });
  });
});

describe('a link that is gone', () => {
  it('sends nothing more, and says that requests were not sent', async () => {
    const { link, peer, ask } = await open();
    await link.close();
    await link.close();
    link.notify('notifications/x');
    link.respond(1, { result: {} });
    expect(await ask('late')).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', phase: 'late' });
    expect(peer.sent).toEqual([]);
    await turn();
  });
});
