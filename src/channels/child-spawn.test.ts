import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type SpawnOptions, spawnProcess } from './child-spawn.ts';

const spawn = vi.fn();

const batchFile = `${join(tmpdir(), `tenon-${process.pid}`)}\\odd.cmd`;

beforeEach(() => {
  spawn.mockReset();
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ spawn });
  writeFileSync(batchFile, '', { mode: 0o755 });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(batchFile);
});

function spawned(options: Partial<SpawnOptions>): unknown[] {
  const whole = {
    command: 'a',
    args: ['b c'],
    cwd: undefined,
    env: { A: '1' },
    stderr: 'pipe',
    platform: 'linux',
  } as const;
  spawnProcess({ ...whole, ...options });
  return spawn.mock.calls[0] ?? [];
}

it('a process is started without a shell and without a window, as the leader of its own group', () => {
  expect(spawned({})).toEqual([
    'a',
    ['b c'],
    {
      cwd: undefined,
      env: { A: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: false,
      detached: true,
    },
  ]);
});

it('on Windows it is not detached, which would open a console', () => {
  expect(spawned({ platform: 'win32' })[2]).toMatchObject({ windowsHide: true, detached: false });
});

it('on Windows a batch file found by PATHEXT is started through the command interpreter', () => {
  const env = { PATH: join(tmpdir(), `tenon-${process.pid}`), PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' };
  const [file, args, options] = spawned({ platform: 'win32', command: 'odd', env, stderr: 'inherit' });
  expect(file).toBe('C:\\cmd.exe');
  expect((args as string[]).at(-1)).toBe(`""${batchFile}" "b c""`);
  expect(options).toMatchObject({ windowsVerbatimArguments: true, stdio: ['pipe', 'pipe', 'inherit'] });
});

it('what cannot be passed to a batch file is an error and starts nothing', () => {
  const env = { PATH: join(tmpdir(), `tenon-${process.pid}`), PATHEXT: '.CMD' };
  expect(() => spawned({ platform: 'win32', command: 'odd', env, args: ['a\nb'] })).toThrow(
    expect.objectContaining({
      name: 'ConnectionError',
      phase: 'spawn',
      reason: 'spawn-failed',
      outcome: 'not-sent',
    }),
  );
  expect(spawn).not.toHaveBeenCalled();
});
