import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { straight } from '../fixtures/paused-run.ts';

describe('a run that is paused, and goes on in other processes', () => {
  let program: Bundled;
  beforeAll(async () => {
    program = await bundled('paused-run');
  });
  afterAll(() => program.remove());

  const play = (args: readonly string[], input = ''): Record<string, unknown> => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [program.program, ...args], {
      input,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it.each([
    ['everything is allowed', []],
    ['one call is refused', ['b']],
    ['all calls are refused', ['b', 'd']],
  ])('comes to the transcript of one that was never paused, when %s', async (_what, refused) => {
    const processes = [play(['start'])];
    for (let at = processes[0]; at?.['paused'] === true; at = processes.at(-1)) {
      processes.push(play(['resume', ...refused], JSON.stringify(at)));
    }
    const last = processes.at(-1);
    const through = await straight(refused);
    expect(processes).toHaveLength(3);
    expect(new Set(processes.map(({ pid }) => pid)).size).toBe(3);
    expect(last?.['output']).toBe(through.output);
    expect(last?.['messages']).toEqual(JSON.parse(JSON.stringify(through.messages)));
    expect(last?.['usage']).toEqual(through.usage);
    expect(last?.['counts']).toEqual(through.counts);
    const effects = processes.flatMap(({ effects: done }) => done as string[]);
    expect(effects.toSorted()).toEqual(through.effects.toSorted());
  });
});
