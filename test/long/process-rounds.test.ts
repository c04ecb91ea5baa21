/** Nothing survives and nothing hangs: whatever ends a server, a request or us, at whatever step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { playRound } from '../fixtures/process/client-round.ts';
import { Journals } from '../fixtures/process/journal.ts';
import { clientRounds } from '../fixtures/process/plan.ts';
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

const ways = ['signal', 'exit', 'close', 'abort', 'limit'] as const;
const rounds = clientRounds();

describe('x', () => {
  it.each(ways)('%s', async kind => {
    const faults: string[] = [];
    for (const round of rounds.filter(({ way }) => way.kind === kind)) {
      const found = await playRound(round, journals);
      tally.add(round.server.at, round.way.kind, found.length > 0);
      faults.push(...found.map(fault => `${describeRound(round)}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});
