import { expect, it } from 'vitest';
import { SharedWork } from './shared-work.ts';

/** Work that a test ends by hand. */
function setUp() {
  const runs: {
    readonly signal: AbortSignal;
    readonly finish: (value: string) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const work = new SharedWork<string>(
    signal => new Promise((finish, fail) => runs.push({ signal, finish, fail })),
  );
  return { work, runs };
}

it('runs once for all who wait, and anew for who comes afterwards', async () => {
  const { work, runs } = setUp();
  const both = [work.join(undefined), work.join(undefined)];
  runs[0]?.finish('one');
  expect(await Promise.all(both)).toEqual(['one', 'one']);
  const later = work.join(undefined);
  runs[1]?.fail(new Error('no'));
  await expect(later).rejects.toThrow('no');
  expect(runs).toHaveLength(2);
});

it('goes on while one of those who wait is left, and stops with the last', async () => {
  const { work, runs } = setUp();
  const [first, second] = [new AbortController(), new AbortController()];
  const both = [work.join(first.signal), work.join(second.signal)].map(each =>
    each.catch((error: Error) => error),
  );
  first.abort(new Error('first left'));
  expect(await both[0]).toEqual(new Error('first left'));
  expect(runs[0]?.signal.aborted).toBe(false);
  second.abort(new Error('second left'));
  expect(await both[1]).toEqual(new Error('second left'));
  expect(runs[0]?.signal.reason).toEqual(new Error('second left'));
  // Nobody joins what is being given up.
  const third = work.join(undefined);
  runs[1]?.finish('two');
  expect(await third).toBe('two');
});

it('does not begin for who has left already', async () => {
  const { work, runs } = setUp();
  await expect(work.join(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(runs).toHaveLength(0);
});
