import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { play } from '../fixtures/killed-loop.ts';

let program: Bundled;
const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'killed-loop-'));
  folders.push(made);
  return made;
};
const logOf = (place: string): string[] => readFileSync(join(place, 'log'), 'utf8').trim().split('\n');

beforeAll(async () => {
  program = await bundled('killed-loop');
});
afterAll(() => {
  program.remove();
  for (const made of folders) rmSync(made, { recursive: true });
});

// After the first answer, between its two tools, after the second answer, and after the last: those are the checkpoints
// that nothing was being done at.
it.each([
  ['after an answer', [1]],
  ['between two tools', [3]],
  ['after the tools of a round', [5]],
  ['after each of these, one process after the other', [1, 2, 2, 1, 2]],
  ['after the last answer', [9]],
])('a loop whose process is killed %s goes on in another as if it had not been', async (_when, kills) => {
  const [straight, killed] = [folder(), folder()];
  const whole = await play(straight, 0);
  const run = (count: number): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [program.program, 'play', killed, String(count)], { encoding: 'utf8' });
  for (const count of kills) expect(run(count).signal).toBe('SIGKILL');
  const last = run(0);
  expect(last.status, String(last.stderr)).toBe(0);
  expect(JSON.parse(String(last.stdout))).toEqual(JSON.parse(JSON.stringify(whole)));
  expect(logOf(killed)).toEqual(logOf(straight));
});
