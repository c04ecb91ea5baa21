import { describe, expect, it } from 'vitest';
import { guardRejections } from '../../../test/fixtures/eras/rejections.ts';
import type { Reply } from '../../../test/fixtures/http/era-talk.ts';
import { ids, progress, resume, steps } from '../../../test/fixtures/http/resumable.ts';
import type { EventStore } from '../../channels/channel.ts';
import { memoryEvents } from './event-store.ts';

guardRejections();

describe('a stream whose store takes its time', () => {
  it('delivers once what came while it was being read back', async () => {
    const memory = memoryEvents();
    let release = (): void => {};
    const slow: EventStore = {
      append: (...given) => memory.append(...given),
      after: async (stream, number) => {
        await new Promise<void>(resolve => (release = resolve));
        return memory.after(stream, number);
      },
    };
    const { served, session, start, call, finish } = await steps(slow);
    const reply = start();
    call().progress(1);
    call().progress(2);
    const back = resume(served, session, ids(reply)[1] ?? '');
    call().progress(3);
    finish();
    release();
    expect(progress(await back.done)).toEqual([2, 3]);
    expect(back.messages.filter(({ id }) => id === 'call')).toHaveLength(1);
  });

  it('goes to the client that came back last, when two come at once, with all that was said', async () => {
    const memory = memoryEvents();
    const releases: (() => void)[] = [];
    const slow: EventStore = {
      append: (...given) => memory.append(...given),
      after: async (stream, number) => {
        await new Promise<void>(resolve => releases.push(resolve));
        return memory.after(stream, number);
      },
    };
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      releases.splice(0);
      const { served, session, start, call, finish } = await steps(slow);
      const reply = start();
      call().progress(1);
      call().progress(2);
      const [older, newer] = [1, 2].map(() => resume(served, session, ids(reply)[1] ?? '')) as [Reply, Reply];
      call().progress(3);
      releases[order[0] ?? 0]?.();
      await new Promise(resolve => setImmediate(resolve));
      call().progress(4);
      releases[order[1] ?? 0]?.();
      await older.done;
      finish();
      expect(progress(await newer.done)).toEqual([2, 3, 4]);
      expect([older.status, older.messages, newer.answer?.id]).toEqual([200, [], 'call']);
    }
  });

  it('delivers what its store has not taken yet', async () => {
    const memory = memoryEvents();
    const waiting: (() => void)[] = [];
    const slow: EventStore = {
      append: async (...given) => {
        await new Promise<void>(resolve => waiting.push(resolve));
        await memory.append(...given);
      },
      after: (stream, number) => memory.after(stream, number) ?? [],
    };
    const { served, session, start, call, finish } = await steps(slow);
    const reply = start();
    call().progress(1);
    call().progress(2);
    const back = resume(served, session, ids(reply)[1] ?? '');
    finish();
    for (const go of waiting) go();
    expect(progress(await back.done)).toEqual([2]);
  });
});
