/** Nothing survives and nothing hangs, whatever ends a server, a request or our own process, at whatever step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playRound } from '../fixtures/process/client-round.ts';
import { buildHost, hasTerminal, playHostRound } from '../fixtures/process/host-round.ts';
import { Journals } from '../fixtures/process/journal.ts';
import { clientRounds, hostRounds } from '../fixtures/process/plan.ts';
import { describeRound } from '../fixtures/process/spec.ts';
import { Tally } from '../fixtures/process/tally.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenon-rounds-'));
const journals = new Journals(folder);
const tally = new Tally();

afterAll(() => {
  journals.close();
  rmSync(folder, { recursive: true });
  console.log(tally.print());
});

describe('no process, promise, handle, listener or uncaught rejection is left', () => {
  const rounds = clientRounds();

  it.each([
    ['a signal ends the server or what stands before it', 'signal'],
    ['the server exits by itself', 'exit'],
    ['the client is closed', 'close'],
    ['the caller aborts', 'abort'],
    ['a limit runs out', 'limit'],
  ])('when %s', async (_when, kind) => {
    const faults: string[] = [];
    for (const round of rounds.filter(({ way }) => way.kind === kind)) {
      const found = await playRound(round, journals);
      tally.add(round.server.at, kind, found.length > 0);
      faults.push(...found.map(fault => `${describeRound(round)}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it('in two hundred rounds or more', () => {
    expect(rounds.length).toBeGreaterThanOrEqual(200);
  });
});

describe('the servers end with the process that uses them', () => {
  const rounds = hostRounds();
  let host: string;

  beforeAll(async () => {
    host = await buildHost(folder);
  });

  it.for(['SIGTERM', 'SIGINT', 'SIGHUP', 'Ctrl-C', 'exit', 'throw', 'reject'])(
    'by %s',
    async (way, { skip }) => {
      if (way === 'Ctrl-C' && !hasTerminal) skip('the program "script" is not here, so there is no terminal');
      const faults: string[] = [];
      for (const round of rounds.filter(one => one.way === way)) {
        const found = await playHostRound(round, host, journals);
        tally.add(round.at, `we: ${way}`, found.length > 0);
        faults.push(...found.map(fault => `${way} at ${round.at}: ${fault}`));
      }
      expect(faults).toEqual([]);
    },
  );
});
