import { afterEach, describe, expect, it } from 'vitest';
import { expected, type Found, findOut } from '../fixtures/runtimes/neutral.ts';
import {
  bundleProgram,
  peerFile,
  type Running,
  run,
  titleOf,
  workFolder,
} from '../fixtures/runtimes/program.ts';
import { compatibilityDates, startWorker } from '../fixtures/runtimes/workerd.ts';

const fixtures = 'test/fixtures/runtimes';
const open: { running: Running | undefined; remove(): void }[] = [];
afterEach(async () => {
  for (const { running, remove } of open.splice(0)) {
    await running?.stop();
    remove();
  }
});

/** A folder for one program, emptied when the test is over. */
function place(): { folder: string; running: Running | undefined; remove(): void } {
  const placed: ReturnType<typeof place> = { ...workFolder('mounts'), running: undefined };
  open.push(placed);
  return placed;
}

/** `it`, skipped with the remedy in its name when the runtime is not installed. */
function itOn(peer: string, sentence: string, body: () => Promise<void>): void {
  const { title, installed } = titleOf(sentence, peer);
  it.skipIf(!installed)(title, body);
}

describe('the neutral entries carry a server, a client, an agent and a pattern', () => {
  it('here', async () => {
    expect(await findOut()).toEqual(expected);
  });

  for (const date of compatibilityDates) {
    itOn('runtime-workerd', `in workerd with the compatibility date ${date}`, async () => {
      const placed = place();
      const program = await bundleProgram(`${fixtures}/neutral.ts`, placed.folder, 'neutral');
      const { running, origin } = await startWorker(program, date);
      placed.running = running;
      expect((await (await fetch(origin)).json()) as Found).toEqual(expected);
    });
  }

  for (const [name, command, args] of [
    ['Bun', 'runtime-bun/node_modules/.bin/bun', ['run']],
    ['Deno', 'runtime-deno/node_modules/.bin/deno', ['run', '--no-check']],
  ] as const) {
    itOn(command.split('/', 1)[0] ?? '', `on ${name}`, async () => {
      const placed = place();
      const program = await bundleProgram(`${fixtures}/print-neutral.ts`, placed.folder, 'neutral');
      placed.running = run(peerFile(command), [...args, program]);
      expect(JSON.parse(await placed.running.found(/^(\{.*\})$/m))).toEqual(expected);
    });
  }
});
