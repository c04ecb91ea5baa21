/** Servers that start slowly, or not at all, and one that ends only by the end of its input; time stands still. */
import { describe, expect, test } from 'vitest';
import { manualClock } from '../../src/basics/manual-clock.ts';
import { stdio } from '../../src/channels/stdio-client.ts';
import { connect, EraMemory } from '../../src/entries/client.ts';
import { meet, useGood } from '../interop/meeting.ts';

/** What a server says on stderr, and waiting for the next of it that fits. */
function listener() {
  let text = '';
  let wake = (): void => {};
  return {
    stderr: (chunk: string): void => {
      text += chunk;
      wake();
    },
    async next(pattern: RegExp): Promise<RegExpExecArray> {
      for (;;) {
        const found = pattern.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return found;
        }
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    },
  };
}

const limits = { connect: 60_000, connectTotal: 300_000 };

/** A server that talks on stderr when it is signalled, and one that is being connected to. */
function starting(
  body: (parts: {
    chatter(): Promise<void>;
    ready(): void;
    clock: ReturnType<typeof manualClock>;
    connecting: Promise<Awaited<ReturnType<typeof connect>>>;
  }) => Promise<void>,
): Promise<void> {
  return meet('start-on-signal', async ({ connect: meeting }) => {
    const clock = manualClock();
    const { stderr, next } = listener();
    const connecting = meeting({ options: { clock, timeouts: limits }, stdio: { stderr } });
    connecting.catch(() => {});
    const pid = Number((await next(/waiting (\d+)\n/))[1]);
    const chatter = async (): Promise<void> => {
      process.kill(pid, 'SIGUSR1');
      await next(/still installing\n/);
    };
    await body({ chatter, ready: () => void process.kill(pid, 'SIGUSR2'), clock, connecting });
  });
}

/**
 * Moves the time on, past the rungs of closing, until `promise` has settled. What the system does takes real time: once
 * the last signal is sent the clock stands still, so that waiting for its effect cannot run out.
 */
async function drive(clock: ReturnType<typeof manualClock>, promise: Promise<unknown>): Promise<void> {
  let done = false;
  const end = (): void => {
    done = true;
  };
  promise.then(end, end);
  for (let passed = 0; !done && passed < 1000; passed += 10) {
    await new Promise(setImmediate);
    clock.advance(10);
  }
  await promise.catch(() => {});
}

describe('a server that is slow to start', () => {
  test.concurrent('is waited for as long as it talks on stderr', () =>
    starting(async ({ chatter, ready, clock, connecting }) => {
      for (const _minute of [1, 2, 3, 4]) {
        await chatter();
        clock.advance(59_000);
      }
      ready();
      const client = await connecting;
      expect(client.revision).toBe('2025-11-25');
      await useGood(client);
      const closing = client.close();
      await drive(clock, closing);
    }));

  test.concurrent('is given up a minute after its last word, and is gone', () =>
    starting(async ({ chatter, clock, connecting }) => {
      clock.advance(30_000);
      await chatter();
      clock.advance(59_999);
      let settled = false;
      connecting.catch(() => {
        settled = true;
      });
      await new Promise(setImmediate);
      expect(settled).toBe(false);
      clock.advance(1);
      await drive(clock, connecting);
      await expect(connecting).rejects.toMatchObject({ name: 'TimeoutError', limit: 'connect', ms: 60_000 });
    }));

  test.concurrent('is given up after five minutes however much it talks', () =>
    starting(async ({ chatter, clock, connecting }) => {
      for (const _minute of [1, 2, 3, 4, 5]) {
        await chatter();
        clock.advance(59_000);
      }
      await chatter();
      clock.advance(5000);
      await drive(clock, connecting);
      await expect(connecting).rejects.toMatchObject({ name: 'TimeoutError', limit: 'connect', ms: 300_000 });
    }));
});

describe('a command that is no server', () => {
  test('that is missing says where it was looked for', async () => {
    const channel = stdio({ command: 'there-is-no-such-server', env: { PATH: '/nowhere:/neither' } });
    await expect(connect(channel, { eraMemory: new EraMemory() })).rejects.toMatchObject({
      name: 'ConnectionError',
      phase: 'spawn',
      reason: 'command-not-found',
      outcome: 'not-sent',
      hint: expect.stringContaining('/nowhere:/neither'),
    });
  });

  test('that exits before anything can be written rejects with its exit and the command line', async () => {
    for (const [command, code] of [
      ['true', 0],
      ['false', 1],
    ] as const) {
      await expect(connect(stdio({ command }), { eraMemory: new EraMemory() })).rejects.toMatchObject({
        name: 'ConnectionError',
        exit: { code, signal: null },
        message: expect.stringContaining(command),
        hint: expect.stringContaining('by hand'),
      });
    }
  });
});

test('a server that ignores TERM and ends at the end of its input is given that time: no signal is needed', () =>
  meet('ignores-term', async ({ connect: meeting }) => {
    const clock = manualClock();
    const client = await meeting({ options: { clock } });
    await useGood(client);
    // Nothing moves the clock, so no rung after the first can be reached.
    await client.close();
  }));
