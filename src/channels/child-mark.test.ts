import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { processOf, remaining, server, start, survivors } from '../../test/fixtures/stdio/servers.ts';
import { carriesMark, makeMark, markName } from './child-mark.ts';
import type { ProcessEntry } from './child-processes.ts';

const shown = process.platform === 'linux';

describe('a mark', () => {
  it('is like no other, and keeps the marks of those who started us', () => {
    const first = makeMark(undefined);
    const second = makeMark(first.value);
    expect(first.value).toBe(first.id);
    expect(second.id).not.toBe(first.id);
    expect(second.value).toBe(`${first.id} ${second.id}`);
    expect(makeMark('').value).not.toContain(' ');
  });

  it.runIf(shown)('is seen on a process that has it, and on no other', async () => {
    const { id, value } = makeMark('an-older-one');
    const child = spawn('sleep', ['1000'], { env: { PATH: process.env['PATH'], [markName]: value } });
    const closed = once(child, 'close');
    await once(child, 'spawn');
    const { pid = 0 } = child;
    expect(carriesMark(pid, id)).toBe(true);
    expect(carriesMark(pid, 'an-older-one')).toBe(true);
    expect(carriesMark(pid, makeMark(undefined).id)).toBe(false);
    expect(carriesMark(process.pid, id)).toBe(false);
    child.kill('SIGKILL');
    await closed;
    expect(carriesMark(pid, id)).toBe(false);
  });
});

describe.runIf(shown)('those whom nobody saw before they were on their own end all the same', () => {
  let escaped: ProcessEntry | undefined;

  afterEach(() => {
    for (const pid of survivors([escaped])) process.kill(pid, 'SIGKILL');
  });

  /** On a message it starts a process in a session of its own; then `after`. The first look at the tree was before. */
  const late = (after: string): string =>
    `process.stdin.once('data', () => {
       const one = sleeper({ detached: true });
       say('started', { one: one.pid });
       ${after}
     }).on('end', () => process.exit());
     say('ready', {});`;

  it('when the server is killed', async () => {
    const { connection, collector } = await start(
      server(late('stay();'), { grace: { end: 10, term: 4000 } }),
    );
    await collector.said('ready');
    connection.send({ jsonrpc: '2.0', method: 'start' });
    const { one } = await collector.said('started');
    escaped = processOf(one);
    process.kill(escaped?.parent ?? 0, 'SIGKILL');
    expect(await collector.end()).toMatchObject({ exit: { signal: 'SIGKILL' } });
    await connection.close();
    expect(survivors([escaped])).toEqual([]);
  });

  it('when the server exits by itself', async () => {
    const { connection, collector } = await start(
      server(late('process.exit(3);'), { grace: { end: 10, term: 4000 } }),
    );
    await collector.said('ready');
    connection.send({ jsonrpc: '2.0', method: 'start' });
    escaped = processOf((await collector.said('started'))['one']);
    expect(await collector.end()).toMatchObject({ exit: { code: 3 } });
    await connection.close();
    expect(survivors([escaped])).toEqual([]);
  });

  it('when they are daemons, whose parent has left long before the close', async () => {
    const { connection, collector } = await start(
      server(
        `const shell = spawn('sh', ['-c', 'setsid sleep 1000 > /dev/null 2>&1 & echo $!'], { stdio: ['ignore', 'pipe', 'ignore'] });
         let printed = '';
         shell.stdout.on('data', text => { printed += text; });
         shell.on('close', () => say('ready', { pid: Number(printed) }));
         onEof(() => process.exit());`,
        { grace: { end: 50, term: 4000 } },
      ),
    );
    const { pid } = await collector.said('ready');
    escaped = processOf(pid);
    expect(escaped?.parent).not.toBe(process.pid);
    await connection.close();
    expect(await remaining([escaped])).toEqual([]);
  });
});
