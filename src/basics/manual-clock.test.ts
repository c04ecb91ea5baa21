import { expect, it } from 'vitest';
import { manualClock } from './manual-clock.ts';

it('fires timers when they fall due, in that order, at their own time', () => {
  const clock = manualClock();
  const fired: string[] = [];
  const note = (name: string) => () => fired.push(`${name}@${clock.now()}`);
  clock.after(30, note('late'));
  clock.after(10, note('early'));
  clock.after(10, note('early too'));
  clock.advance(9);
  expect(fired).toEqual([]);
  clock.advance(20);
  expect(fired).toEqual(['early@10', 'early too@10']);
  expect(clock.now()).toBe(29);
  clock.advance(1);
  expect(fired.at(-1)).toBe('late@30');
  expect(clock.pending).toBe(0);
});

it('fires what is set meanwhile, and nothing that was cancelled', () => {
  const clock = manualClock();
  const fired: number[] = [];
  const never = clock.after(15, () => fired.push(-1));
  clock.after(10, () => {
    never.cancel();
    clock.after(5, () => fired.push(clock.now()));
    clock.after(50, () => fired.push(clock.now()));
  });
  expect(clock.pending).toBe(2);
  clock.advance(20);
  expect(fired).toEqual([15]);
  expect(clock.pending).toBe(1);
  never.cancel();
});
