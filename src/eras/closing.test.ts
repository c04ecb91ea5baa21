import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { enveloped, Talk } from '../../test/fixtures/eras/talk.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import { serveEras } from './for-servers.ts';

guardRejections();

interface Running {
  readonly call: Call;
  readonly finish: () => void;
}

/** `heed` handlers end when their signal aborts; others go on for ever. */
async function serve(heed = true) {
  const running: Running[] = [];
  const router = testRouter({
    'tools/call': call =>
      new Promise<Outcome>((resolve, reject) => {
        running.push({ call, finish: () => resolve({ value: { content: [] } }) });
        if (heed) call.signal.addEventListener('abort', () => reject(call.signal.reason as Error));
      }),
  });
  const talk = new Talk(serveEras(router));
  await talk.initialize('2025-11-25');
  talk.got.splice(0);
  const call = (id: number): void => talk.say({ jsonrpc: '2.0', id, method: 'tools/call', params: {} });
  const state = { closed: false };
  const close = (grace?: number): Promise<void> => {
    const closed = talk.inlet.close('the end', grace);
    void closed.then(() => {
      state.closed = true;
    });
    return closed;
  };
  return { router, talk, running, call, close, state };
}

describe('closing', () => {
  it('answers what it aborts as aborted, which is no fault to report', async () => {
    const { router, talk, call, close } = await serve();
    call(1);
    await close(0);
    await turn();
    expect(talk.singles).toMatchObject([{ id: 1, error: { code: -32603, message: /server is closing/ } }]);
    expect(router.reports).toEqual([]);
  });

  it('with nothing under way is done at once, whatever the grace, and leaves no timer', async () => {
    const { talk, close } = await serve();
    await close(60_000);
    expect(talk.clock.pending).toBe(0);
  });

  it('waits for calls that end within the grace, and their answers are sent', async () => {
    const { talk, running, call, close, state } = await serve();
    call(1);
    call(2);
    const closed = close(2000);
    running[0]?.finish();
    talk.clock.advance(1999);
    await turn();
    expect([state.closed, running[1]?.call.signal.aborted]).toEqual([false, false]);
    running[1]?.finish();
    await closed;
    expect(talk.singles.map(({ id, result }) => [id, result])).toEqual([
      [1, { content: [] }],
      [2, { content: [] }],
    ]);
    expect(talk.clock.pending).toBe(0);
  });

  it('aborts what runs after the grace with its reason, and what heeds that still answers', async () => {
    const { talk, running, call, close } = await serve();
    call(1);
    const closed = close(2000);
    await turn();
    talk.clock.advance(2000);
    await closed;
    expect(running[0]?.call.signal.reason).toBe('the end');
    expect(talk.singles).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect([talk.inlet.running, talk.clock.pending]).toEqual([0, 0]);
  });

  it('does not wait for a handler that never ends', async () => {
    const { talk, running, call, close } = await serve(false);
    call(1);
    const closed = close(10);
    await turn();
    talk.clock.advance(10);
    await closed;
    expect([running[0]?.call.signal.aborted, talk.clock.pending]).toEqual([true, 0]);
  });

  it('without grace aborts in the same moment', async () => {
    const { talk, running, call, close } = await serve();
    call(1);
    const closed = close();
    talk.clock.advance(0);
    await closed;
    expect(running[0]?.call.signal.aborted).toBe(true);
  });

  it('again with a shorter grace cuts the first short', async () => {
    const { talk, running, call, close, state } = await serve();
    call(1);
    const first = close(60_000);
    await turn();
    talk.clock.advance(1000);
    const second = close(500);
    expect(talk.clock.pending).toBe(1);
    talk.clock.advance(499);
    await turn();
    expect([state.closed, running[0]?.call.signal.aborted]).toEqual([false, false]);
    talk.clock.advance(1);
    await Promise.all([first, second]);
    expect(talk.clock.pending).toBe(0);
  });

  it('again after it was done sets no timer', async () => {
    const { talk, close } = await serve();
    await close(2000);
    await close(500);
    expect(talk.clock.pending).toBe(0);
  });

  it('takes nothing more', async () => {
    const { router, talk, call, running, close } = await serve();
    call(1);
    const closed = close(1000);
    call(2);
    talk.notify('notifications/cancelled', { requestId: 1 });
    talk.say({ jsonrpc: '2.0', id: 3, method: 'ping' });
    talk.inlet.unreadable('nonsense', talk.exchange);
    expect(talk.got).toEqual([]);
    expect(router.calls).toHaveLength(1);
    running[0]?.finish();
    await closed;
    expect(talk.singles.map(({ id }) => id)).toEqual([1]);
  });

  it('runs what waits in the queue only within the grace, and answers the rest', async () => {
    const { router, talk, running, call, close } = await serve();
    for (let id = 1; id <= 260; id += 1) call(id);
    const closed = close(1000);
    running[0]?.finish();
    await turn();
    expect(router.calls).toHaveLength(257);
    talk.clock.advance(1000);
    await closed;
    await turn();
    expect(router.calls).toHaveLength(257);
    expect([talk.got.length, talk.inlet.running, talk.clock.pending]).toEqual([260, 0, 0]);
    expect(talk.singles.find(({ id }) => id === 260)?.error).toMatchObject({ code: -32603 });
  });

  it('fails the questions to the client with its reason, and tells of no more changes', async () => {
    const { router, running, call, close } = await serve();
    call(1);
    const answer = running[0]?.call.ask('roots', { kind: 'roots' }).catch((thrown: unknown) => thrown);
    const closed = close(1000);
    expect(await answer).toBe('the end');
    router.change({ kind: 'tools' });
    expect(router.listeners).toBe(0);
    running[0]?.finish();
    await closed;
    const late = running[0]?.call.ask('more', { kind: 'roots' }).catch((thrown: unknown) => thrown);
    expect(await late).toBe('the end');
  });

  it('leaves a call in the middle of a round to end it', async () => {
    const router = testRouter({
      'tools/call': async call => ({ value: { a: await call.ask('a', { kind: 'roots' }) } }),
    });
    const talk = new Talk(serveEras(router));
    const answer = talk.ask('tools/call', enveloped());
    await talk.inlet.close('the end', 1000);
    expect((await answer).result?.resultType).toBe('input_required');
    expect(talk.clock.pending).toBe(0);
  });
});
