import { expect, it } from 'vitest';
import type { ProcessEntry } from './child-processes.ts';
import { PosixTree } from './child-tree.ts';

/** A system of processes written as `pid: [parent, group, session, started]`. */
function system(first: Record<number, readonly [number, number, number, string?]>) {
  let table = first;
  let readable = true;
  const sent: [number, string | 0][] = [];
  return {
    sent,
    watchful: true,
    become(next: typeof first) {
      table = next;
    },
    hide() {
      readable = false;
    },
    read(): ProcessEntry[] | undefined {
      if (!readable) return undefined;
      return Object.entries(table).map(([pid, [parent, group, session, started = 'a']]) => ({
        pid: Number(pid),
        parent,
        group,
        session,
        started,
      }));
    },
    kill(pid: number, signal: string | 0): void {
      sent.push([pid, signal]);
      if (signal === 0) throw new Error('nobody');
    },
  };
}

const stranger = { 1: [0, 1, 1], 50: [1, 50, 50] } as const;

it('signals the group as one, and each of those outside it once', () => {
  const machine = system({
    ...stranger,
    10: [5, 10, 10],
    11: [10, 10, 10],
    12: [11, 12, 10],
    13: [12, 13, 13],
    14: [13, 13, 13],
  });
  new PosixTree(10, machine).signal('SIGTERM');
  expect(machine.sent).toEqual([
    [-10, 'SIGTERM'],
    [12, 'SIGTERM'],
    [13, 'SIGTERM'],
    [14, 'SIGTERM'],
  ]);
});

it('follows those who were seen and then lost their parent', () => {
  const machine = system({ ...stranger, 10: [5, 10, 10], 13: [10, 13, 13] });
  const tree = new PosixTree(10, machine);
  machine.become({ ...stranger, 13: [1, 13, 13], 15: [1, 15, 13] });
  expect(tree.alive()).toBe(true);
  tree.signal('SIGKILL');
  expect(machine.sent).toEqual([
    [13, 'SIGKILL'],
    [15, 'SIGKILL'],
  ]);
});

it('finds members of the session that were never seen', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, machine);
  machine.become({ 20: [1, 10, 10] });
  tree.signal('SIGTERM');
  expect(machine.sent).toEqual([[-10, 'SIGTERM']]);
});

it('never signals another process that got a number of ours', () => {
  const machine = system({ ...stranger, 10: [5, 10, 10], 13: [10, 13, 13] });
  const tree = new PosixTree(10, machine);
  machine.become({ ...stranger });
  expect(tree.alive()).toBe(false);
  machine.become({ ...stranger, 10: [1, 10, 10, 'b'], 13: [1, 13, 13, 'b'], 14: [13, 13, 13, 'b'] });
  expect(tree.alive()).toBe(false);
  tree.signal('SIGKILL');
  expect(machine.sent).toEqual([]);
});

it('looks twice before it takes a tree for gone', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, machine);
  const { read } = machine;
  let readings = 0;
  machine.read = () => {
    readings += 1;
    return readings === 1 ? [] : read();
  };
  expect(tree.alive()).toBe(true);
});

it('falls back on the process group where the system tells nothing', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, machine);
  machine.hide();
  tree.signal('SIGTERM');
  expect(tree.alive()).toBe(false);
  expect(machine.sent).toEqual([
    [-10, 'SIGTERM'],
    [-10, 0],
  ]);
});
