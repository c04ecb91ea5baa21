/** Nothing survives and nothing hangs: a round of each kind; `test/long/process-rounds.test.ts` has all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playRound } from '../fixtures/process/client-round.ts';
import { buildHost, hasTerminal, playHostRound } from '../fixtures/process/host-round.ts';
import { Journals } from '../fixtures/process/journal.ts';
import { hostRounds } from '../fixtures/process/plan.ts';
import { describeRound, type Round, type ServerSettings, type Way } from '../fixtures/process/spec.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenon-rounds-'));
const journals = new Journals(folder);

afterAll(() => {
  journals.close();
  rmSync(folder, { recursive: true });
});

function round(way: Way, at: ServerSettings['at'], server: Partial<ServerSettings> = {}): Round {
  const exits = way.kind === 'exit';
  const usual = { era: 'handshake', family: ['group', 'session'], stubborn: false, shape: 'direct' } as const;
  return { way, server: { ...usual, at, exits, ...server } };
}

const stateless = { era: 'stateless' } as const;
const behindShell = { shape: 'shell' } as const;
const behindLauncher = { shape: 'launcher' } as const;
const kill = (signal: NodeJS.Signals, target: 'server' | 'root' = 'server'): Way => ({
  kind: 'signal',
  signal,
  target,
});

describe('no process, promise, handle, listener or uncaught rejection is left', () => {
  const rounds = [
    round(kill('SIGTERM'), 'start'),
    round(kill('SIGKILL'), 'probe', stateless),
    round(kill('SIGINT'), 'initialize', behindShell),
    round(kill('SIGHUP', 'root'), 'list', { ...stateless, ...behindShell }),
    round(kill('SIGKILL', 'root'), 'call', behindLauncher),
    round({ kind: 'exit' }, 'probe'),
    round({ kind: 'exit' }, 'call', { ...stateless, ...behindLauncher }),
    round({ kind: 'close' }, 'call', { ...behindLauncher, stubborn: true }),
    round({ kind: 'close' }, 'list', { ...stateless, stubborn: true }),
    round({ kind: 'close' }, 'ask', stateless),
    round({ kind: 'close' }, 'watch', stateless),
    round({ kind: 'abort' }, 'before'),
    round({ kind: 'abort' }, 'spawn', { ...behindShell, stubborn: true }),
    round({ kind: 'abort' }, 'probe', { ...stateless, ...behindLauncher }),
    round({ kind: 'abort' }, 'hedge'),
    round({ kind: 'abort' }, 'list'),
    round({ kind: 'abort' }, 'ask', stateless),
    round({ kind: 'limit' }, 'start', { ...behindLauncher, stubborn: true }),
  ];

  it.each(rounds.map(one => [describeRound(one), one] as const))('%s', async (_about, one) => {
    expect(await playRound(one, journals)).toEqual([]);
  });
});

describe('the servers end with the process that uses them', () => {
  let host: string;

  beforeAll(async () => {
    host = await buildHost(folder);
  });

  it.for([
    ['SIGTERM', 'probe'],
    ['SIGINT', 'call'],
    ['Ctrl-C', 'list'],
    ['exit', 'spawn'],
    ['throw', 'closing'],
  ])('%s at %s', async ([way, at], { skip }) => {
    if (way === 'Ctrl-C' && !hasTerminal) skip('the program "script" is not here, so there is no terminal');
    const rounds = hostRounds().filter(one => one.way === way && one.at === at);
    expect(rounds).toHaveLength(1);
    for (const one of rounds) expect(await playHostRound(one, host, journals)).toEqual([]);
  });
});
