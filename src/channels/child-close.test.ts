import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endListeners, processOf, server, start, survivors } from '../../test/fixtures/stdio/servers.ts';
import { systemClock } from '../basics/clock.ts';
import { manualClock } from '../basics/manual-clock.ts';
import type { ProcessEntry } from './child-processes.ts';
import type { StdioOptions } from './stdio-client.ts';

let before: number[];
let seen: (ProcessEntry | undefined)[] = [];

beforeAll(() => {
  before = endListeners();
});

afterEach(() => {
  expect(endListeners()).toEqual(before);
  const left = survivors(seen);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  seen = [];
  expect(left).toEqual([]);
});

/** Starts a server that says its own number and those of what it started, as `ready`. */
async function tree(code: string, options: Partial<StdioOptions> = {}, clock = systemClock) {
  const heard: string[] = [];
  const { connection, collector } = await start(
    server(code, { grace: { end: 4000, term: 4000 }, stderr: text => heard.push(text), ...options }),
    clock,
  );
  const pids = Object.values(await collector.said('ready'));
  const entries = pids.map(processOf);
  expect(entries).not.toContain(undefined);
  seen.push(...entries);
  return { connection, collector, entries, heard };
}

const ready = `say('ready', { pid: process.pid });`;
/** A descendant that ignores TERM, in whatever group; says `up` when it does. */
const stubborn = (options: string) =>
  `const held = spawn('sh', ['-c', 'trap "" TERM; echo up; sleep 1000 & wait; wait'], { stdio: ['ignore', 'pipe', 'ignore'], ${options} });
   await new Promise(resolve => held.stdout.once('data', resolve));`;

describe('a server that is closed', () => {
  it.each(['at once', 'after it was closed in peace'])(
    'in a hurry, %s, is gone though it ignores the end of its input and TERM, whatever grace it has',
    async when => {
      const { connection, entries } = await tree(
        `process.on('SIGTERM', () => {}); onEof(() => stay()); stay(); ${ready}`,
        { grace: { end: 3_600_000, term: 3_600_000 } },
      );
      if (when !== 'at once') void connection.close();
      await connection.close({ hurry: true });
      expect(survivors(entries)).toEqual([]);
    },
  );

  it('and leaves at the end of its input is not signalled', async () => {
    const { connection, heard } = await tree(
      `process.on('SIGTERM', () => writeSync(2, 'term')); onEof(() => { writeSync(2, 'eof'); process.exit(); }); ${ready}`,
    );
    await connection.close();
    expect(heard.join('')).toBe('eof');
  });

  it('and ignores the end of its input gets TERM after the first grace and not before', async () => {
    const clock = manualClock();
    let heard = '';
    let wake = (): void => {};
    const hears = (text: string): Promise<void> =>
      new Promise(resolve => {
        wake = () => heard.includes(text) && resolve();
        wake();
      });
    const { connection } = await tree(
      `process.on('SIGTERM', () => { writeSync(2, 'term;'); process.exit(); }); onEof(() => { writeSync(2, 'eof;'); stay(); }); ${ready}`,
      {
        grace: { end: 3000, term: 2000 },
        stderr: text => {
          heard += text;
          wake();
        },
      },
      clock,
    );
    const closing = connection.close();
    await hears('eof;');
    clock.advance(2999);
    expect(heard).toBe('eof;');
    clock.advance(1);
    await closing;
    expect(heard).toBe('eof;term;');
  });

  it('and ignores TERM too gets KILL', async () => {
    const { connection, heard } = await tree(
      `process.on('SIGTERM', () => writeSync(2, 'term')); process.stdin.resume(); stay(); ${ready}`,
      { grace: { end: 20, term: 200 } },
    );
    await connection.close();
    expect(heard.join('')).toBe('term');
  });

  it('and ignores TERM but leaves some time after the end of its input has that time', async () => {
    const { connection, heard } = await tree(
      `process.on('SIGTERM', () => writeSync(2, 'term')); onEof(() => setTimeout(() => process.exit(), 150)); ${ready}`,
    );
    await connection.close();
    expect(heard.join('')).toBe('');
  });

  it('does not take its time twice when it is closed twice', async () => {
    const { connection, collector } = await tree(`onEof(() => process.exit()); ${ready}`);
    await Promise.all([connection.close(), connection.close()]);
    await connection.close();
    expect(collector.closings).toHaveLength(1);
  });

  it('right after it was started is gone all the same', async () => {
    const { connection } = await start(server('stay()', { grace: { end: 20, term: 4000 } }));
    await connection.close();
  });
});

describe('what a server has started is gone when closing is over', () => {
  it.each([
    ['in its process group', '{}'],
    ['in a session of its own', '{ detached: true }'],
  ])('%s', async (_name, options) => {
    const { connection, entries } = await tree(
      `const one = sleeper(${options}); onEof(() => process.exit()); say('ready', { pid: process.pid, one: one.pid });`,
      { grace: { end: 50, term: 4000 } },
    );
    await connection.close();
    expect(survivors(entries)).toEqual([]);
  });

  it.each([
    ['in its process group', ''],
    ['in a session of its own', 'detached: true'],
  ])('%s, though it ignores TERM and has children itself', async (_name, options) => {
    const { connection, entries } = await tree(
      `${stubborn(options)} process.stdin.resume(); stay(); say('ready', { pid: process.pid, held: held.pid });`,
      { grace: { end: 20, term: 100 } },
    );
    await connection.close();
    expect(survivors(entries)).toEqual([]);
  });

  it('when a shell stands between', async () => {
    const { command, args = [] } = server(
      `process.stdin.resume(); stay(); say('ready', { pid: process.pid, shell: process.ppid });`,
    );
    const { connection, collector } = await start({
      command: 'sh',
      args: ['-c', '"$@"; exit', 'sh', command, ...args],
      grace: { end: 20, term: 4000 },
    });
    const entries = Object.values(await collector.said('ready')).map(processOf);
    seen.push(...entries);
    await connection.close();
    expect(survivors(entries)).toEqual([]);
  });
});

describe('a server that dies', () => {
  it('leaves nobody of its group behind', async () => {
    const { connection, collector, entries } = await tree(
      `const one = sleeper(); say('ready', { pid: process.pid, one: one.pid }); setImmediate(() => process.kill(process.pid, 'SIGKILL'));
       onEof(() => {});`.replace('setImmediate(() =>', 'process.stdin.once("data", () =>'),
      { grace: { end: 20, term: 4000 } },
    );
    connection.send({ jsonrpc: '2.0', method: 'die' });
    expect(await collector.end()).toMatchObject({ reason: 'exited', exit: { signal: 'SIGKILL' } });
    await connection.close();
    expect(survivors(entries)).toEqual([]);
  });

  it('leaves nobody behind who had left its group and was seen before', async () => {
    const { connection, collector, entries } = await tree(
      `const one = sleeper({ detached: true }); say('ready', { pid: process.pid, one: one.pid });
       process.stdin.once('data', () => process.kill(process.pid, 'SIGKILL'));`,
      { grace: { end: 20, term: 4000 } },
    );
    connection.send({ jsonrpc: '2.0', method: 'die' });
    await collector.end();
    await connection.close();
    expect(survivors(entries)).toEqual([]);
  });

  it('of any signal is reported and nothing is left', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGSEGV', 'SIGHUP'] as const) {
      const { connection, collector, entries } = await tree(
        `const one = sleeper({ detached: true }); say('ready', { pid: process.pid, one: one.pid }); process.stdin.resume();`,
        { grace: { end: 10, term: 4000 } },
      );
      process.kill(entries[0]?.pid ?? 0, signal);
      expect((await collector.end()).exit).toEqual({ code: null, signal });
      await connection.close();
      expect(survivors(entries)).toEqual([]);
    }
  });
});
