import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../basics/clock.ts';
import { type FileWatch, watchFile } from './watch-file.ts';

let folder = '';
let watch: FileWatch | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-watch-'));
});
afterEach(() => {
  watch?.close();
  rmSync(folder, { recursive: true });
});

/** Timers that are run by hand, as soon as the system has told of a change. */
function handClock(): { readonly clock: Clock; elapse(): Promise<void> } {
  let due: (() => void) | undefined;
  let isSet: () => void = () => {};
  const clock: Clock = {
    now: () => 0,
    after(_ms, run) {
      due = run;
      isSet();
      return {
        cancel() {
          if (due === run) due = undefined;
        },
      };
    },
  };
  return {
    clock,
    async elapse() {
      while (due === undefined) {
        await new Promise<void>(resolve => {
          isSet = resolve;
        });
      }
      const run = due;
      due = undefined;
      run();
    },
  };
}

describe('a file that is watched', () => {
  it('has changed when its text is another one, and only then', async () => {
    const file = join(folder, 'a.json');
    writeFileSync(file, 'one');
    const { clock, elapse } = handClock();
    const told: string[] = [];
    watch = watchFile(file, 'one', {
      clock,
      onChange: () => told.push('changed'),
      onGone: reason => told.push(reason),
      onFault: () => expect.unreachable(),
    });
    await elapse();
    writeFileSync(file, 'one');
    await elapse();
    writeFileSync(file, '');
    await elapse();
    expect(told).toEqual([]);
    writeFileSync(file, 'two');
    await elapse();
    expect(told).toEqual(['changed']);
    rmSync(file);
    await elapse();
    expect(told).toEqual(['changed', 'is not there any more']);
  });

  it('is looked at once more at the start, as it may have been written since it was read', async () => {
    const file = join(folder, 'a.json');
    writeFileSync(file, 'two');
    const { clock, elapse } = handClock();
    const told: string[] = [];
    const note = (text: string): void => void told.push(text);
    watch = watchFile(file, 'one', {
      clock,
      onChange: () => note('changed'),
      onGone: note,
      onFault: () => {},
    });
    await elapse();
    expect(told).toEqual(['changed']);
  });

  it('must be in a folder that is there', () => {
    const { clock } = handClock();
    const nothing = (): void => {};
    expect(() =>
      watchFile(join(folder, 'none', 'a.json'), undefined, {
        ...{ clock, onChange: nothing, onGone: nothing, onFault: nothing },
      }),
    ).toThrow(/--watch: .*a\.json cannot be watched/);
  });
});
