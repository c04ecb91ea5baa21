import { beforeEach, expect, it } from 'vitest';
import { manualClock } from '../basics/manual-clock.ts';
import { Ladder } from './child-ladder.ts';

const clock = manualClock();
let events: string[];
let alive: boolean;

beforeEach(() => {
  events = [];
  alive = true;
});

function ladder(): Ladder {
  return new Ladder({
    clock,
    endInput: () => events.push('end'),
    tree: {
      watchful: false,
      look: () => events.push('look'),
      alive: () => alive,
      signal: signal => events.push(signal),
      kill: () => events.push('kill'),
    },
  });
}

/** Moves the time on and lets what follows from that happen. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise(setImmediate);
}

it('looks around, ends the input, and is over when the child exits with nobody left', async () => {
  const one = ladder();
  const over = one.descend({ end: 3000, term: 2000 });
  alive = false;
  one.exited();
  await over;
  expect(events).toEqual(['look', 'end']);
  expect(clock.pending).toBe(0);
});

it('goes down rung by rung, each after its grace', async () => {
  const one = ladder();
  const over = one.descend({ end: 3000, term: 2000 });
  await pass(2999);
  expect(events).toEqual(['look', 'end']);
  await pass(1);
  expect(events).toEqual(['look', 'end', 'SIGTERM']);
  await pass(1999);
  expect(events).not.toContain('SIGKILL');
  await pass(1);
  expect(events).toEqual(['look', 'end', 'SIGTERM', 'SIGKILL']);
  alive = false;
  one.exited();
  await over;
  expect(clock.pending).toBe(0);
});

it('takes descendants that outlive the child down the same rungs', async () => {
  const one = ladder();
  const over = one.descend({ end: 300, term: 200 });
  one.exited();
  for (let at = 0; at < 10; at += 1) await pass(50);
  expect(events).toEqual(['look', 'end', 'SIGTERM', 'SIGKILL']);
  alive = false;
  await pass(100);
  await over;
});

it('kills again what was forked meanwhile, and gives up in the end', async () => {
  const one = ladder();
  const over = one.descend({ end: 0, term: 0 });
  one.exited();
  for (let at = 0; at < 40; at += 1) await pass(100);
  await over;
  expect(events.filter(event => event === 'SIGKILL').length).toBeGreaterThan(2);
  expect(clock.pending).toBe(0);
});

it('is hurried by a second call with less grace, and not slowed down by one with more', async () => {
  const one = ladder();
  const over = one.descend({ end: 3000, term: 2000 });
  await pass(100);
  expect(one.descend({ end: 60_000, term: 60_000 })).toBe(over);
  expect(one.descend({ end: 0, term: 500 })).toBe(over);
  await pass(0);
  expect(events).toEqual(['look', 'end', 'SIGTERM']);
  await pass(500);
  expect(events.at(-1)).toBe('SIGKILL');
  alive = false;
  one.exited();
  await over;
});
