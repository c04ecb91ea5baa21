import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endListeners, processOf, remaining, survivors } from '../../test/fixtures/stdio/servers.ts';
import { register } from './child-registry.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenon-host-'));
const bundle = join(folder, 'host.mjs');

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, '../../test/fixtures/stdio/host.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: bundle,
    logLevel: 'error',
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

const family = `const stdio = ['ignore', 'ignore', 'inherit'], one = sleeper({ stdio }), two = sleeper({ stdio, detached: true });`;
/** Ignores the end of its input, and has a child in its group and one outside it; dies of TERM. */
const patient = `${family} process.stdin.resume(); stay(); say('ready', { pid: process.pid, one: one.pid, two: two.pid });`;
/** Ignores TERM, and says on stderr when it got it. */
const stubborn = `process.on('SIGTERM', () => writeSync(2, 'term;')); ${patient}`;

interface Host {
  readonly process: ChildProcess;
  readonly pids: readonly number[];
  readonly ended: Promise<{ code: number | null; signal: string | null; stderr: string; left: number[] }>;
  hears(text: string): Promise<void>;
}

/** Starts the program; `ended` is after the last process that holds its stderr is gone. */
async function host(how: string, code: string): Promise<Host> {
  const child = spawn(process.execPath, [bundle, how, code], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pids = Object.values(JSON.parse(String(line)) as Record<string, number>);
  const entries = pids.map(processOf);
  const ended = closed.then(async ([code, signal]) => {
    return { code, signal, stderr, left: await remaining(entries) };
  });
  const hears = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) await once(child.stderr, 'data');
  };
  return { process: child, pids, ended, hears };
}

describe('when our own process ends, all of its servers end and all that they started', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
    'by %s, of which it then dies as it would have',
    async signal => {
      const one = await host('wait', patient);
      one.process.kill(signal);
      expect(await one.ended).toEqual({ code: null, signal, stderr: '', left: [] });
    },
  );

  it('by a signal, within half a second also when they ignore TERM', async () => {
    const one = await host('wait', stubborn);
    one.process.kill('SIGTERM');
    expect(await one.ended).toEqual({ code: null, signal: 'SIGTERM', stderr: 'term;', left: [] });
  });

  it('by a signal while it closes them with a long grace', async () => {
    const one = await host('close', patient);
    one.process.kill('SIGINT');
    expect(await one.ended).toMatchObject({ signal: 'SIGINT', left: [] });
  });

  it('by a second signal at once', async () => {
    const one = await host('wait', stubborn);
    one.process.kill('SIGTERM');
    await one.hears('term;');
    one.process.kill('SIGINT');
    expect(await one.ended).toMatchObject({ signal: 'SIGINT', left: [] });
  });

  it('by process.exit', async () => {
    expect(await (await host('exit', stubborn)).ended).toMatchObject({ code: 4, left: [] });
  });

  it.each(['throw', 'reject'])('by an error that nobody catches (%s)', async how => {
    const { code, left, stderr } = await (await host(how, stubborn)).ended;
    expect({ code, left }).toEqual({ code: 1, left: [] });
    expect(stderr).toMatch(/uncaught|unhandled/);
  });

  it('by its own decision when it listens for the signal itself', async () => {
    const one = await host('listener', patient);
    one.process.kill('SIGTERM');
    expect(await one.ended).toMatchObject({ code: 5, signal: null, left: [] });
  });
});

/** `script`, which gives a program a terminal, is not everywhere. */
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

it.skipIf(!hasTerminal).each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-\\', '\x1c'],
])('%s in a terminal ends the servers too, though they are in groups of their own', async (_name, key) => {
  const command = [process.execPath, bundle, 'wait', patient].map(
    word => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  const terminal = spawn('script', ['-qefc', command.join(' '), '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const closed = once(terminal, 'close');
  let shown = '';
  while (!shown.includes('}')) shown += String((await once(terminal.stdout, 'data'))[0]);
  const entries = Object.values(JSON.parse(shown) as Record<string, number>).map(processOf);
  expect(survivors(entries)).toHaveLength(3);
  terminal.stdin.write(key);
  await closed;
  expect(await remaining(entries)).toEqual([]);
});

it('listeners are there while a child lives, once for all children', () => {
  const before = endListeners();
  const mortal = { kill: () => {}, hurry: () => Promise.resolve() };
  const leave = [register({ ...mortal }), register({ ...mortal })];
  expect(endListeners()).toEqual(before.map(count => count + 1));
  leave[0]?.();
  leave[0]?.();
  expect(endListeners()).toEqual(before.map(count => count + 1));
  leave[1]?.();
  expect(endListeners()).toEqual(before);
});
