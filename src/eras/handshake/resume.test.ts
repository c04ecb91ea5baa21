import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import { testRouter } from '../../../test/fixtures/eras/router.ts';
import { HttpTalk } from '../../../test/fixtures/http/era-talk.ts';
import { ids, last, params, progress, resume, steps } from '../../../test/fixtures/http/resumable.ts';
import type { EventStore } from '../../channels/channel.ts';
import type { Call } from '../../protocol/call.ts';
import { memoryEvents } from './event-store.ts';

guardRejections();

describe('a stream that can be resumed', () => {
  it('begins with an id and a time to come back, where the revision has that', async () => {
    const { start, call } = await steps();
    const reply = start();
    call().progress(1);
    expect(reply.events[0]).toEqual({ id: expect.any(String), retry: 1000 });
    expect(new Set(ids(reply)).size).toBe(2);
    const older = await steps(memoryEvents(), '2025-06-18');
    const plain = older.start();
    older.call().progress(1);
    expect(plain.events).toEqual([{ id: expect.any(String), data: expect.any(Object) }]);
  });

  it('is closed early by its handler and delivers the rest to the client that comes back', async () => {
    const { served, session, start, call, finish } = await steps();
    const reply = start();
    call().closeStream();
    expect([reply.complete, reply.events.at(-1)]).toEqual([true, { retry: 1000 }]);
    call().progress(1);
    const back = resume(served, session, last(reply));
    await back.until(() => back.streamed);
    call().progress(2);
    finish();
    expect(progress(await back.done)).toEqual([1, 2]);
    expect(back.answer).toMatchObject({ id: 'call', result: { content: [] } });
  });

  it('goes on after its client left, and misses nothing', async () => {
    const { served, session, start, call, finish } = await steps();
    const reply = start();
    call().progress(1);
    call().progress(2);
    const [, first] = ids(reply);
    reply.leave();
    call().progress(3);
    finish();
    const back = resume(served, session, first ?? '');
    expect(progress(await back.done)).toEqual([2, 3]);
    expect(back.answer?.id).toBe('call');
  });

  it('keeps its session while somebody reads it, and only then', async () => {
    const { served, session, start, call } = await steps();
    const reply = start();
    call().closeStream();
    const back = resume(served, session, last(reply));
    await back.until(() => back.streamed);
    served.clock.advance(60 * 60_000);
    expect(served.ask('ping', {}, { session }).status).toBe(200);
    back.leave();
    served.clock.advance(60 * 60_000);
    expect(served.ask('ping', {}, { session }).status).toBe(404);
  });

  it('can be taken over before the server knows that the old connection is gone', async () => {
    const { served, session, start, call, finish } = await steps();
    const reply = start();
    call().progress(1);
    const back = resume(served, session, last(reply));
    await back.until(() => back.streamed);
    call().progress(2);
    finish();
    await back.done;
    expect([progress(reply), progress(back)]).toEqual([[1], [2]]);
  });

  it('is resumed by its own session alone', async () => {
    const { served, session, start, call, finish } = await steps();
    const reply = start();
    call().progress(1);
    const other = await served.open();
    const stolen = await resume(served, other, last(reply)).done;
    expect([stolen.status, stolen.messages]).toEqual([400, []]);
    expect(reply.complete).toBe(false);
    finish();
    await reply.done;
    expect(resume(served, session, 'no such event')).toMatchObject({ streamed: false });
  });

  it('replays no other stream', async () => {
    const { served, session, start, call, finish } = await steps();
    const one = start();
    call().progress(1);
    const two = served.ask('tools/call', params, { session }, 'other');
    call().progress(7);
    finish();
    finish();
    await Promise.all([one.done, two.done]);
    const back = await resume(served, session, ids(two)[0] ?? '').done;
    expect([progress(back), back.answer?.id]).toEqual([[7], 'other']);
  });

  it('cannot be resumed from what is no longer kept', async () => {
    const { served, session, start, call, finish } = await steps(memoryEvents({ maxEvents: 2 }));
    const reply = start();
    for (const done of [1, 2, 3, 4]) call().progress(done);
    const back = await resume(served, session, ids(reply)[1] ?? '').done;
    expect([back.status, back.body?.error?.message]).toEqual([400, expect.stringContaining('Last-Event-ID')]);
    finish();
  });

  it('is a standing stream too', async () => {
    const router = testRouter();
    const served = new HttpTalk(router, { events: memoryEvents() });
    const session = await served.open();
    const standing = served.get(session);
    router.change({ kind: 'tools' });
    standing.leave();
    router.change({ kind: 'prompts' });
    const back = resume(served, session, last(standing));
    await back.until(() => back.messages.length === 1);
    router.change({ kind: 'resources' });
    expect(back.messages.map(({ method }) => method)).toEqual([
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
    expect(back.complete).toBe(false);
  });

  it('stands by no longer once its client left for a newer one', async () => {
    const router = testRouter();
    const asked: string[] = [];
    const memory = memoryEvents();
    const store: EventStore = {
      append: (...given) => memory.append(...given),
      after: (stream, number) => {
        asked.push(stream);
        return memory.after(stream, number);
      },
    };
    const served = new HttpTalk(router, { events: store });
    const session = await served.open();
    const [old, young] = [served.get(session), served.get(session)];
    old.leave();
    // One that is over is read from the store and ends; one that goes on would stay open.
    const back = await resume(served, session, last(old)).done;
    expect([back.complete, young.complete, asked.length]).toEqual([true, false, 1]);
  });

  it('was given up by a client that opened another, and ends when it is resumed all the same', async () => {
    const router = testRouter();
    const served = new HttpTalk(router, { events: memoryEvents() });
    const session = await served.open();
    const given = served.get(session);
    router.change({ kind: 'tools' });
    router.change({ kind: 'prompts' });
    given.leave();
    const standing = served.get(session);
    const back = await resume(served, session, ids(given)[1] ?? '').done;
    expect(back.messages.map(({ method }) => method)).toEqual(['notifications/prompts/list_changed']);
    router.change({ kind: 'resources' });
    expect(standing.messages).toHaveLength(1);
  });

  it('goes on when the store fails, and says so', async () => {
    const broken: EventStore = {
      append: () => Promise.reject(new Error('disk full')),
      after: () => Promise.reject(new Error('disk gone')),
    };
    const { served, session, start, call, finish, reports } = await steps(broken);
    const reply = start();
    call().progress(1);
    call().progress(2);
    const back = await resume(served, session, ids(reply)[1] ?? '').done;
    expect(back.status).toBe(500);
    finish();
    expect(reports).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('disk full') }),
    );
  });
});

describe('without a store', () => {
  it('nothing has an id, and a stream is not closed early', async () => {
    let seen: Call | undefined;
    const router = testRouter({
      'tools/call': call => {
        seen = call;
        call.closeStream();
        call.progress(1);
        return { value: { content: [] } };
      },
    });
    const served = new HttpTalk(router);
    const session = await served.open();
    const reply = await served.ask('tools/call', params, { session }).done;
    expect(seen).toBeDefined();
    expect(reply.events).toEqual([{ data: expect.any(Object) }, { data: expect.any(Object) }]);
  });

  it('an id of the last event is no reason to refuse a stream', async () => {
    const served = new HttpTalk(testRouter());
    const session = await served.open();
    expect(resume(served, session, 'x.1').streamed).toBe(true);
  });
});

describe('events in memory', () => {
  it('are bounded in number and in size, the oldest streams first', () => {
    const store = memoryEvents({ maxEvents: 3 });
    for (const [stream, number] of [
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['b', 2],
    ] as const) {
      void store.append(stream, number, { number });
    }
    expect(store.after('a', 0)).toBeUndefined();
    expect(store.after('a', 1)).toEqual([expect.objectContaining({ number: 2 })]);
    expect(store.after('b', 0)).toHaveLength(2);
    const small = memoryEvents({ maxSize: 50 });
    void small.append('a', 1, { text: 'x'.repeat(40) });
    void small.append('a', 2, { text: 'x' });
    expect(small.after('a', 0)).toBeUndefined();
    expect(small.after('a', 1)).toHaveLength(1);
    expect(() => memoryEvents({ maxEvents: 0 })).toThrow('maxEvents');
  });
});
