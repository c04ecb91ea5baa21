import { describe, expect, it } from 'vitest';
import { type Joined, join, pairings } from '../../test/fixtures/eras/joined.ts';
import { guardRejections } from '../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../test/fixtures/eras/router.ts';
import { turn } from '../../test/fixtures/eras/scripted-channel.ts';
import { clientSeat } from '../../test/fixtures/eras/seat.ts';
import type { Call, Outcome } from '../protocol/call.ts';
import type { Progress } from '../rpc/inflight.ts';

guardRejections();

const limits = { idle: 300, total: 2000 };

/** A tool that goes on until it is told to finish. */
function held() {
  const calls: Call[] = [];
  const finishes: ((outcome: Outcome) => void)[] = [];
  const handlers: Handlers = {
    'tools/call': call =>
      new Promise((resolve, reject) => {
        calls.push(call);
        finishes.push(resolve);
        call.signal.addEventListener('abort', () => reject(call.signal.reason as Error));
      }),
    'tools/list': () => ({ value: { tools: [] } }),
  };
  return { calls, finish: () => finishes.shift()?.({ value: { content: ['done'] } }), handlers };
}

const alive = async ({ call }: Joined): Promise<unknown> => (await call('tools/list'))['tools'];

describe.each(pairings)('a call in the %s era over %s', (...pairing) => {
  it('that reports progress outlives its idle limit, not the one in all', async () => {
    const { calls, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const seen: Progress[] = [];
    const end = joined.era
      .call('tools/call', {}, { limits, onProgress: progress => seen.push(progress) })
      .catch((thrown: unknown) => thrown);
    await turn();
    for (let step = 1; step <= 9; step += 1) {
      joined.clock.advance(200);
      calls[0]?.progress(step, { total: 10, message: `step ${step}` });
      await turn();
    }
    expect(seen).toHaveLength(9);
    expect(seen[0]).toEqual({ progress: 1, total: 10, message: 'step 1' });
    joined.clock.advance(200);
    expect(await end).toMatchObject({ name: 'TimeoutError', limit: 'total', ms: 2000 });
    await turn();
    expect(calls[0]?.signal.aborted).toBe(true);
  });

  it('is kept alive by progress even when nobody listens to it', async () => {
    const { calls, finish, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const end = joined.era.call('tools/call', {}, { limits });
    await turn();
    for (let step = 1; step <= 5; step += 1) {
      joined.clock.advance(250);
      calls[0]?.progress(step);
      await turn();
    }
    finish();
    expect((await end).value).toEqual({ content: ['done'] });
  });

  it('that is silent ends at its idle limit; the server is told, and the connection goes on', async () => {
    const { calls, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const end = joined.era.call('tools/call', {}, { limits }).catch((thrown: unknown) => thrown);
    await turn();
    joined.clock.advance(300);
    expect(await end).toMatchObject({ name: 'TimeoutError', limit: 'idle', phase: 'tools/call' });
    await turn();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(await alive(joined)).toEqual([]);
    expect(joined.link.inflight.size).toBe(0);
  });

  it('that is aborted rejects with the reason; the server hears a fixed one', async () => {
    const { calls, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const controller = new AbortController();
    const end = joined.call('tools/call', {}, controller.signal).catch((thrown: unknown) => thrown);
    await turn();
    const reason = new Error('my secret reason');
    controller.abort(reason);
    expect(await end).toBe(reason);
    await turn();
    expect(calls[0]?.signal.reason).toMatchObject({ name: 'AbortError' });
    expect(String(calls[0]?.signal.reason)).not.toContain('secret');
    expect(await alive(joined)).toEqual([]);
  });

  it('that was aborted before it began is not sent', async () => {
    const { calls, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    await expect(joined.call('tools/call', {}, AbortSignal.abort('early'))).rejects.toBe('early');
    await turn();
    expect(calls).toEqual([]);
  });

  it('that is aborted in the tick of its answer settles once, a thousand times', async () => {
    const { calls, finish, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    for (let count = 0; count < 1000; count += 1) {
      const controller = new AbortController();
      const end = joined.call('tools/call', {}, controller.signal).catch((thrown: unknown) => thrown);
      await turn();
      if (count % 2) finish();
      controller.abort('cancelled');
      if (!(count % 2)) finish();
      expect(await end).toBe('cancelled');
    }
    expect(calls).toHaveLength(1000);
    expect([joined.link.inflight.size, await alive(joined)]).toEqual([0, []]);
  });

  it('sends what the caller puts into _meta beside what the era needs', async () => {
    const { calls, finish, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const meta = { traceparent: '00-1', progressToken: 'mine' };
    const end = joined.era.call('tools/call', { name: 'x' }, { limits, meta });
    await turn();
    const sent = calls[0]?.params['_meta'] as Record<string, unknown>;
    expect(sent['traceparent']).toBe('00-1');
    expect(typeof sent['progressToken']).toBe('number');
    finish();
    await end;
  });

  it('keeps many calls apart, answered in the reverse order', async () => {
    const router = testRouter({
      'tools/call': async call => {
        for (let count = 20 - Number(call.params['nr']); count > 0; count -= 1) await Promise.resolve();
        return { value: { nr: call.params['nr'], content: [] } };
      },
    });
    const joined = await join(pairing, router);
    const numbers = Array.from({ length: 20 }, (_, nr) => nr);
    const results = await Promise.all(numbers.map(nr => joined.call('tools/call', { nr })));
    expect(results.map(({ nr }) => nr)).toEqual(numbers);
  });

  it('whose onProgress throws is not harmed', async () => {
    const { calls, finish, handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const onProgress = (): never => {
      throw new Error('user code');
    };
    const end = joined.era.call('tools/call', {}, { limits, onProgress });
    await turn();
    calls[0]?.progress(1);
    await turn();
    finish();
    expect((await end).value).toEqual({ content: ['done'] });
    expect(joined.options.diagnostics.at(-1)).toMatchObject({ kind: 'handler-failed' });
  });

  it('fails with the connection, with what was going on and an unknown outcome', async () => {
    const { handlers } = held();
    const joined = await join(pairing, testRouter(handlers));
    const end = joined.call('tools/call').catch((thrown: unknown) => thrown);
    await turn();
    const closed = joined.link.close();
    joined.clock.advance(0);
    await closed;
    expect(await end).toMatchObject({ name: 'ConnectionError', phase: 'tools/call', outcome: 'unknown' });
    expect(joined.clock.pending).toBe(0);
  });

  it('brings the log messages that it was made with', async () => {
    const seat = clientSeat({ logLevel: 'warning' });
    const router = testRouter({
      'tools/call': call => {
        call.log('info', 'quiet');
        call.log('error', { loud: true }, 'tool');
        return { value: { content: [] } };
      },
    });
    const joined = await join(pairing, router, seat);
    await turn();
    await joined.call('tools/call');
    expect(seat.logs).toEqual([{ level: 'error', logger: 'tool', data: { loud: true } }]);
  });

  it('whose log handler throws is not harmed', async () => {
    const log = (): never => {
      throw new Error('user code');
    };
    const router = testRouter({
      'tools/call': call => {
        call.log('error', 'x');
        return { value: { content: [] } };
      },
    });
    const joined = await join(pairing, router, { log, logLevel: 'debug' });
    expect(await joined.call('tools/call')).toEqual({ content: [] });
  });
});
