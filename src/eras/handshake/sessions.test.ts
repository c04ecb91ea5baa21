import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { type Handlers, testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';

guardRejections();

const minute = 60_000;

describe('sessions that nobody uses', () => {
  it('are forgotten after half an hour, ten thousand of them too', async () => {
    const router = testRouter();
    const served = new HttpTalk(router);
    const ids = await Promise.all(Array.from({ length: 10_000 }, () => served.open()));
    expect(router.listeners).toBe(10_000);
    served.clock.advance(30 * minute);
    expect(router.listeners).toBe(0);
    expect(served.ask('ping', {}, { session: ids[77] }).status).toBe(404);
    expect(served.clock.pending).toBe(0);
  });

  it('live on from each use', async () => {
    const served = new HttpTalk(testRouter());
    const [used, idle] = [await served.open(), await served.open()];
    served.clock.advance(29 * minute);
    served.ask('ping', {}, { session: used });
    served.clock.advance(29 * minute);
    expect(served.ask('ping', {}, { session: used }).status).toBe(200);
    expect(served.ask('ping', {}, { session: idle }).status).toBe(404);
  });

  it('are not kept alive by a stranger who knows their id', async () => {
    const served = new HttpTalk(testRouter());
    const session = await served.open('2025-11-25', { principal: 'alice' });
    served.clock.advance(29 * minute);
    expect(served.ask('ping', {}, { session, principal: 'bob' }).status).toBe(404);
    served.clock.advance(minute);
    expect(served.ask('ping', {}, { session, principal: 'alice' }).status).toBe(404);
  });

  it('are not idle while a call runs or a stream is open', async () => {
    let finish = (): void => {};
    const slow: Handlers = {
      'tools/call': () => new Promise(resolve => (finish = () => resolve({ value: {} }))),
    };
    const served = new HttpTalk(testRouter(slow));
    const [calling, listening, idle] = [await served.open(), await served.open(), await served.open()];
    const call = served.ask('tools/call', {}, { session: calling });
    const standing = served.get(listening);
    served.clock.advance(300 * minute);
    expect([call.complete, standing.complete]).toEqual([false, false]);
    expect(served.ask('ping', {}, { session: idle }).status).toBe(404);
    finish();
    await call.done;
    standing.leave();
    served.clock.advance(60 * minute);
    expect(served.ask('ping', {}, { session: calling }).status).toBe(404);
    expect(served.ask('ping', {}, { session: listening }).status).toBe(404);
  });

  it('are idle when the client of their call is gone, whatever it was asked', async () => {
    let reason: unknown;
    const asking: Handlers = {
      'tools/call': call => call.ask('roots', { kind: 'roots' }).catch(error => (reason = error)) as never,
    };
    const served = new HttpTalk(testRouter(asking));
    const session = await served.open();
    const call = served.ask('tools/call', {}, { session });
    await call.until(() => call.messages.length > 0);
    call.leave();
    served.clock.advance(30 * minute);
    expect(served.ask('ping', {}, { session }).status).toBe(404);
    await new Promise(resolve => setImmediate(resolve));
    expect(reason).toMatchObject({ name: 'AbortError' });
  });

  it('are looked at once each time, however short their time is', async () => {
    const slow: Handlers = { 'tools/call': () => new Promise(() => {}) };
    const served = new HttpTalk(testRouter(slow), { sessionTtl: 0.4 });
    const session = await served.open();
    const call = served.ask('tools/call', {}, { session });
    for (let step = 0; step < 20; step += 1) served.clock.advance(0.7);
    expect(call.complete).toBe(false);
    call.leave();
    served.clock.advance(2);
    expect(served.ask('ping', {}, { session }).status).toBe(404);
  });

  it('may have a time of their own', async () => {
    const served = new HttpTalk(testRouter(), { sessionTtl: 1000 });
    const session = await served.open();
    served.clock.advance(1000);
    expect(served.ask('ping', {}, { session }).status).toBe(404);
  });
});

describe('sessions where timers are lost, as workers lose those of requests that are over', () => {
  it('are forgotten when the next client comes', async () => {
    let now = 0;
    const clock = { now: () => now, after: () => ({ cancel() {} }) };
    const router = testRouter();
    const served = new HttpTalk(router, { clock });
    const idle = await served.open();
    now = 29 * minute;
    const used = await served.open();
    now = 32 * minute;
    await served.open();
    const alive = [idle, used].map(session => served.ask('ping', {}, { session }).status === 200);
    expect([alive, router.listeners]).toEqual([[false, true], 2]);
  });
});

describe('too many sessions', () => {
  it('end the one that was idle longest, and not one that is in use', async () => {
    const router = testRouter();
    const served = new HttpTalk(router, { maxSessions: 3 });
    const first = await served.open();
    const standing = served.get(first);
    const second = await served.open();
    const third = await served.open();
    served.ask('ping', {}, { session: second });
    const fourth = await served.open();
    const alive = [first, second, third, fourth].map(
      session => served.ask('ping', {}, { session }).status === 200,
    );
    expect(alive).toEqual([true, true, false, true]);
    expect([standing.complete, router.listeners]).toEqual([false, 3]);
  });

  it('are refused with a time to come back when all are in use', async () => {
    const served = new HttpTalk(testRouter(), { maxSessions: 1 });
    served.get(await served.open());
    const reply = served.ask('initialize', { protocolVersion: '2025-11-25' });
    expect([reply.status, reply.headers['Retry-After']]).toEqual([503, '10']);
  });

  it('stay within the limit of ten thousand', async () => {
    const router = testRouter();
    const served = new HttpTalk(router);
    await Promise.all(Array.from({ length: 10_100 }, () => served.open()));
    expect(router.listeners).toBe(10_000);
    await served.acceptor.close('over');
    expect([router.listeners, served.clock.pending]).toEqual([0, 0]);
  });

  it.each([
    { sessionTtl: 0 },
    { maxSessions: 0 },
    { maxSessions: 1.5 },
    { retry: -1 },
    { sessions: 'some' as 'none' },
  ])('and other limits must be usable: %j is not', options => {
    expect(() => new HttpTalk(testRouter(), options)).toThrow(TypeError);
  });
});

describe('closing', () => {
  it('ends all sessions, lets calls finish for a while, and takes no more', async () => {
    let finish = (): void => {};
    const slow: Handlers = {
      'tools/call': () => new Promise(resolve => (finish = () => resolve({ value: { ok: true } }))),
    };
    const served = new HttpTalk(testRouter(slow));
    const session = await served.open();
    const standing = served.get(session);
    const call = served.ask('tools/call', {}, { session });
    const own = served.stateless('tools/call', { name: 'a' });
    const finishOwn = finish;
    const closed = served.acceptor.close('over', 1000);
    expect(standing.complete).toBe(true);
    expect(served.ask('ping', {}, { session }).status).toBe(503);
    finishOwn();
    expect((await own.done).body?.result?.ok).toBe(true);
    served.clock.advance(1000);
    await closed;
    expect([call.complete, served.clock.pending]).toEqual([false, 0]);
  });
});
