import { expect, it } from 'vitest';
import type { ProcessEntry } from './child-processes.ts';
import { PosixTree } from './child-tree.ts';

/** A system of processes written as `pid: [parent, group, session, started]`; some carry the mark. */
function system(
  first: Record<number, readonly [number, number, number, string?]>,
  marked: readonly number[] = [],
) {
  let table = first;
  let readable = true;
  const sent: [number, string | 0][] = [];
  const asked: number[] = [];
  return {
    sent,
    asked,
    watchful: true,
    carries(pid: number, mark: string) {
      asked.push(pid);
      return mark === 'mark' && marked.includes(pid);
    },
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
  new PosixTree(10, { system: machine }).signal('SIGTERM');
  expect(machine.sent).toEqual([
    [-10, 'SIGTERM'],
    [12, 'SIGTERM'],
    [13, 'SIGTERM'],
    [14, 'SIGTERM'],
  ]);
});

it('follows those who were seen and then lost their parent', () => {
  const machine = system({ ...stranger, 10: [5, 10, 10], 13: [10, 13, 13] });
  const tree = new PosixTree(10, { system: machine });
  machine.become({ ...stranger, 13: [1, 13, 13], 15: [1, 15, 13] });
  expect(tree.alive()).toBe(true);
  tree.signal('SIGKILL');
  expect(machine.sent).toEqual([
    [13, 'SIGKILL'],
    [15, 'SIGKILL'],
  ]);
});

it('kills those too who appeared while it looked, until a look finds nobody new', () => {
  const machine = system({ 10: [5, 10, 10, '8'] }, [20, 30]);
  const tree = new PosixTree(10, { system: machine, mark: 'mark' });
  const { kill } = machine;
  machine.kill = (pid, signal) => {
    kill(pid, signal);
    // What is killed may be seen for another moment.
    if (pid === -10) machine.become({ 10: [5, 10, 10, '8'], 20: [1, 20, 20, '9'] });
    if (pid === 20) machine.become({ 20: [1, 20, 20, '9'], 30: [1, 30, 30, '9'] });
  };
  tree.kill();
  expect(machine.sent).toEqual([
    [-10, 'SIGKILL'],
    [20, 'SIGKILL'],
    [30, 'SIGKILL'],
  ]);
});

it('ends a kill although new ones appear for ever', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, { system: machine });
  let last = 10;
  machine.kill = pid => {
    machine.sent.push([pid, 'SIGKILL']);
    last += 1;
    machine.become({ [last]: [1, last, 10, 'a'] });
  };
  tree.kill();
  expect(machine.sent).toHaveLength(10);
});

it('kills the process group where the system tells nothing', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, { system: machine });
  machine.hide();
  tree.kill();
  expect(machine.sent).toEqual([[-10, 'SIGKILL']]);
});

it('finds members of the session that were never seen', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, { system: machine });
  machine.become({ 20: [1, 10, 10] });
  tree.signal('SIGTERM');
  expect(machine.sent).toEqual([[-10, 'SIGTERM']]);
});

it('finds those who were never seen and lost every tie but the mark', () => {
  const machine = system({ 1: [0, 1, 1, '1'], 50: [1, 50, 50, '7'], 10: [5, 10, 10, '8'] }, [20, 30]);
  const tree = new PosixTree(10, { system: machine, mark: 'mark' });
  machine.become({ 1: [0, 1, 1, '1'], 50: [1, 50, 50, '7'], 20: [1, 20, 20, '9'], 21: [20, 20, 20, '9'] });
  tree.signal('SIGKILL');
  expect(machine.sent).toEqual([
    [20, 'SIGKILL'],
    [21, 'SIGKILL'],
  ]);
});

it('asks nobody for the mark twice, and nobody who is older than the root', () => {
  const table = { 1: [0, 1, 1, '1'], 10: [5, 10, 10, '8'], 30: [1, 30, 30, '8'] } as const;
  const machine = system(table, [10]);
  const tree = new PosixTree(10, { system: machine, mark: 'mark' });
  tree.look();
  expect(machine.asked.filter(pid => pid !== 10)).toEqual([30]);
  machine.become({ ...table, 30: [1, 30, 30, '9'] });
  tree.look();
  expect(machine.asked.filter(pid => pid !== 10)).toEqual([30, 30]);
});

it('asks again for the mark while the system does not tell it', () => {
  let told: boolean | undefined;
  const machine = system({ 10: [5, 10, 10, '8'] });
  const seen = { ...machine, read: () => machine.read(), carries: () => told };
  const tree = new PosixTree(10, { system: seen, mark: 'mark' });
  machine.become({ 20: [1, 20, 20, '9'] });
  expect(tree.alive()).toBe(false);
  told = true;
  expect(tree.alive()).toBe(true);
});

it('never signals another process that got a number of ours', () => {
  const machine = system({ ...stranger, 10: [5, 10, 10], 13: [10, 13, 13] });
  const tree = new PosixTree(10, { system: machine });
  machine.become({ ...stranger });
  expect(tree.alive()).toBe(false);
  machine.become({ ...stranger, 10: [1, 10, 10, 'b'], 13: [1, 13, 13, 'b'], 14: [13, 13, 13, 'b'] });
  expect(tree.alive()).toBe(false);
  tree.signal('SIGKILL');
  expect(machine.sent).toEqual([]);
});

it('looks twice before it takes a tree for gone', () => {
  const machine = system({ 10: [5, 10, 10] });
  const tree = new PosixTree(10, { system: machine });
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
  const tree = new PosixTree(10, { system: machine });
  machine.hide();
  tree.signal('SIGTERM');
  expect(tree.alive()).toBe(false);
  expect(machine.sent).toEqual([
    [-10, 'SIGTERM'],
    [-10, 0],
  ]);
});
