import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

  /** Looks until this was told: the system may tell of one change in several parts. */
  async function told(file: string, steps: readonly (readonly [change: () => void, expected: string])[]) {
    const { clock, elapse } = handClock();
    const heard: string[] = [];
    watch = watchFile(file, 'one', {
      clock,
      onChange: () => heard.push('changed'),
      onGone: () => heard.push('gone'),
      onFault: error => heard.push(String(error)),
    });
    await elapse();
    for (const [change, expected] of steps) {
      const before = heard.length;
      change();
      while (heard.length === before) await elapse();
      expect(heard.slice(before)).toEqual([expected]);
    }
  }

  it('is followed when its folder is deleted and made anew', async () => {
    const own = join(folder, 'own');
    const file = join(own, 'a.json');
    mkdirSync(own);
    writeFileSync(file, 'one');
    const make = (text: string): void => {
      mkdirSync(own);
      writeFileSync(file, text);
    };
    await told(file, [
      [() => rmSync(own, { recursive: true }), 'gone'],
      [() => make('two'), 'changed'],
      [() => writeFileSync(file, 'three'), 'changed'],
    ]);
  });

  it('is followed when another folder has the place of its own before anybody looked', async () => {
    const own = join(folder, 'own');
    const file = join(own, 'a.json');
    mkdirSync(own);
    writeFileSync(file, 'one');
    const replace = (): void => {
      rmSync(own, { recursive: true });
      mkdirSync(own);
      writeFileSync(file, 'two');
    };
    await told(file, [
      [replace, 'changed'],
      // Of the first ones events of the exchange may still tell.
      ...Array.from({ length: 20 }, (_, at) => [() => writeFileSync(file, `text ${at}`), 'changed'] as const),
    ]);
  });

  it('is followed when another folder takes the place of its own, and when the first comes back', async () => {
    const [own, other, away] = ['own', 'other', 'away'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const file = join(own, 'a.json');
    for (const [path, text] of [
      [own, 'one'],
      [other, 'two'],
    ] as const) {
      mkdirSync(path);
      writeFileSync(join(path, 'a.json'), text);
    }
    await told(file, [
      [() => renameSync(own, away), 'gone'],
      [() => renameSync(other, own), 'changed'],
      [() => writeFileSync(file, 'three'), 'changed'],
      [() => renameSync(own, other), 'gone'],
      [() => renameSync(away, own), 'changed'],
      [() => writeFileSync(file, 'four'), 'changed'],
    ]);
  });

  it('is followed over links, whichever of them is exchanged', async () => {
    for (const name of ['a', 'b', 'c', 'd']) mkdirSync(join(folder, name));
    const [first, middle] = [join(folder, 'a', 'x.json'), join(folder, 'b', 'y.json')];
    const link = (target: string): void => {
      symlinkSync(target, `${middle}.new`);
      renameSync(`${middle}.new`, middle);
    };
    writeFileSync(join(folder, 'c', 'z.json'), 'one');
    writeFileSync(join(folder, 'd', 'z.json'), 'two');
    symlinkSync(join('..', 'b', 'y.json'), first);
    link(join('..', 'c', 'z.json'));
    await told(first, [
      [() => link(join('..', 'd', 'z.json')), 'changed'],
      [() => writeFileSync(join(folder, 'd', 'z.json'), 'three'), 'changed'],
    ]);
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
