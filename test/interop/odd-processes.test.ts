/** Our client with servers that start, live or end oddly: typed errors at once, and nothing is left behind. */
import { describe, expect, test } from 'vitest';
import { isAlive, meet, textOf, useGood } from './meeting.ts';

/** A stderr listener and waiting for what it should hear. */
function listener() {
  let text = '';
  const watchers = new Set<() => void>();
  return {
    stderr: (chunk: string): void => {
      text += chunk;
      for (const watch of [...watchers]) watch();
    },
    heard: (pattern: RegExp): Promise<RegExpExecArray> =>
      new Promise(resolve => {
        const watch = (): void => {
          const found = pattern.exec(text);
          if (!found) return;
          watchers.delete(watch);
          resolve(found);
        };
        watchers.add(watch);
        watch();
      }),
  };
}

describe('the server dies', () => {
  test.concurrent.each([
    ['dies-at-start', 1, 'FATAL: API_KEY missing'],
    ['dies-at-start-silently', 0, ''],
    ['dies-on-initialize', 2, 'FATAL: cannot initialize'],
  ])('%s: connect rejects with exit %i, the command line and the last words', (variant, code, words) =>
    meet(variant, async ({ connect }) => {
      await expect(connect()).rejects.toMatchObject({
        name: 'ConnectionError',
        exit: { code, signal: null },
        stderrTail: expect.stringContaining(words),
        message: expect.stringContaining(variant),
      });
    }),
  );

  test.concurrent('dies-on-list: the list rejects, naming what was going on', () =>
    meet('dies-on-list', async ({ connect }) => {
      const client = await connect();
      await expect(client.tools().all()).rejects.toMatchObject({
        name: 'ConnectionError',
        phase: 'tools/list',
        exit: { code: 4 },
        stderrTail: expect.stringContaining('FATAL: cannot list'),
      });
    }));

  test.concurrent.each([
    ['dies-in-call', { code: 3, signal: null }],
    ['dies-by-signal', { code: null, signal: 'SIGKILL' }],
    ['dies-in-half-line', { code: 1, signal: null }],
    ['asks-and-dies', { code: 6, signal: null }],
  ])('%s: every pending call rejects, its outcome unknown', (variant, exit) =>
    meet(variant, async ({ connect }) => {
      const client = await connect();
      const calls = [client.call('good'), client.call('good', { text: 'b' })];
      for (const result of await Promise.allSettled(calls)) {
        expect(result).toMatchObject({
          reason: { name: 'ConnectionError', phase: 'tools/call', outcome: 'unknown', exit },
        });
      }
      await expect(client.call('good')).rejects.toMatchObject({
        name: 'ConnectionError',
        outcome: 'not-sent',
      });
    }),
  );

  test.concurrent('dies-after-answer: the answer is not lost', () =>
    meet('dies-after-answer', async ({ connect }) => {
      expect(textOf(await (await connect()).call('good'))).toBe('good');
    }));

  test.concurrent('dies-without-newline: a complete last line counts', () =>
    meet('dies-without-newline', async ({ connect }) => {
      expect(textOf(await (await connect()).call('good'))).toBe('unfinished');
    }));

  test.concurrent('dies-after: a request after which it leaves rejects with exit 0', () =>
    meet('dies-after', async ({ connect }) => {
      // discover, initialize, initialized, and the list that is not answered.
      const client = await connect({ args: ['4'] });
      await expect(client.tools().all()).rejects.toMatchObject({
        name: 'ConnectionError',
        exit: { code: 0 },
      });
    }));

  test.concurrent('dies-but-pipe-stays: a child that holds the pipe does not keep the call waiting', () =>
    meet('dies-but-pipe-stays', async ({ connect }) => {
      const { stderr, heard } = listener();
      const client = await connect({ stdio: { stderr } });
      await expect(client.call('good')).rejects.toMatchObject({ name: 'ConnectionError', exit: { code: 5 } });
      const sleeper = Number((await heard(/sleeper (\d+)/))[1]);
      await client.close();
      expect(isAlive(sleeper)).toBe(false);
    }));

  test.concurrent('closes-stdout: the call rejects although the process lives', () =>
    meet('closes-stdout', async ({ connect }) => {
      const client = await connect();
      await expect(client.call('good')).rejects.toMatchObject({
        name: 'ConnectionError',
        reason: 'output-closed',
      });
    }));

  test.concurrent('closes-stdin: what is sent afterwards rejects', () =>
    meet('closes-stdin', async ({ connect }) => {
      const client = await connect();
      await client.call('good');
      await expect(client.call('good')).rejects.toMatchObject({ name: 'ConnectionError' });
    }));
});

describe('the server starts slowly', () => {
  test.concurrent('slow-start: chatter on stderr keeps the connect limit from running out', () =>
    meet('slow-start', async ({ connect }) => {
      const client = await connect({ args: ['5000'], options: { timeouts: { connect: 4000 } } });
      await useGood(client);
    }));

  test.concurrent('slow-start: without end, the total limit stops it', () =>
    meet('slow-start', async ({ connect }) => {
      const timeouts = { connect: 900, connectTotal: 1200 };
      await expect(connect({ args: ['60000'], options: { timeouts } })).rejects.toMatchObject({
        name: 'TimeoutError',
        limit: 'connect',
      });
    }));

  test.concurrent('start-on-signal: what was sent early is read when it is ready', () =>
    meet('start-on-signal', async ({ connect }) => {
      const { stderr, heard } = listener();
      const connecting = connect({ stdio: { stderr } });
      const pid = Number((await heard(/waiting (\d+)/))[1]);
      process.kill(pid, 'SIGUSR1');
      await heard(/still installing/);
      process.kill(pid, 'SIGUSR2');
      await useGood(await connecting);
    }));

  test.concurrent.each([['stderr-flood', '5000000'], ['stderr-secret']])(
    '%s: it is used all the same',
    (variant, ...args) => meet(variant, async ({ connect }) => useGood(await connect({ args }))),
  );

  test.concurrent('dies-at-start: the tail of stderr that is kept is bounded and ends with the last words', () =>
    meet('dies-at-start', async ({ connect }) => {
      const error: unknown = await connect({ args: ['2000000'] }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        name: 'ConnectionError',
        stderrTail: expect.stringMatching(/missing\n$/),
      });
      expect(JSON.stringify(error).length).toBeLessThan(20_000);
    }));
});

describe('the server does not want to end', () => {
  test.concurrent.each([
    'ignores-end',
    'ignores-term',
    'ignores-everything',
    'slow-end',
    'call-silent',
    'never-ending',
  ])('%s: close resolves and the process is gone', name => {
    const variant = name === 'never-ending' ? 'endless-line' : name;
    return meet(variant, async ({ connect }) => {
      const client = await connect();
      const pending =
        variant === 'call-silent' ? client.call('good').catch((error: unknown) => error) : undefined;
      await Promise.all([client.close(), client.close()]);
      if (pending) expect(await pending).toMatchObject({ name: 'ConnectionError' });
    });
  });

  test.concurrent.each(['forks-sleeper', 'forks-sleeper-with-pipes', 'forks-detached'])(
    '%s: its children go with it',
    variant =>
      meet(variant, async ({ connect }) => {
        const client = await connect();
        const { sleeper } = JSON.parse(textOf(await client.call('good'))) as { sleeper: number };
        expect(isAlive(sleeper)).toBe(true);
        await client.close();
        expect(isAlive(sleeper)).toBe(false);
      }),
  );

  test.concurrent.each(['ordinary', 'ignores-end', 'ignores-everything', 'forks-sleeper'])(
    'launcher %s: a server behind a launcher goes too',
    behind =>
      meet('launcher', async ({ connect, starts }) => {
        const client = await connect({ args: [behind] });
        await client.tools().all();
        expect(starts()).toBe(2);
        await client.close();
      }),
  );
});
