import { expect, it } from 'vitest';
import { parsePs, parseStat, readProcesses } from './child-processes.ts';

const rest = '0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 1';

it('reads a line of /proc, whatever the name of the program', () => {
  expect(parseStat(`42 (a) b (c) S 7 40 39 ${rest}`)).toEqual({
    pid: 42,
    parent: 7,
    group: 40,
    session: 39,
    started: '987654',
  });
});

it('takes what has ended for gone, and what it cannot read for nothing', () => {
  expect(parseStat(`42 (a) Z 7 40 39 ${rest}`)).toBeUndefined();
  expect(parseStat('')).toBeUndefined();
  expect(parseStat('42 (a) S 7')).toBeUndefined();
});

it('reads what ps prints', () => {
  const text =
    '    1     0     1 Ss   Mon Nov  3 10:00:00 2025    \n   42     1    40 Z    Mon Nov  3 10:00:01 2025\nodd\n';
  expect(parsePs(text)).toEqual([
    { pid: 1, parent: 0, group: 1, session: 1, started: 'Mon Nov  3 10:00:00 2025' },
  ]);
});

it('finds our own process by either way', () => {
  for (const platform of [process.platform, 'another']) {
    const own = readProcesses(platform)?.find(entry => entry.pid === process.pid);
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid });
  }
});
