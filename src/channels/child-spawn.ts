/** Starting a process without a shell, and saying in full why it could not be started. */
import type { ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { messageOf } from '../basics/failure.ts';
import { ConnectionError } from '../rpc/connection-error.ts';
import { childSystem } from './child-system.ts';
import { showCommandLine } from './command-line.ts';
import { type Found, findCommand, readVariable, type Standing } from './command-lookup.ts';
import { type Invocation, invokeOnWindows } from './command-windows.ts';

export interface SpawnOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly stderr: 'pipe' | 'inherit';
  readonly platform: string;
}

/** Starts the process and returns it at once; `started` tells whether it really runs. Throws a `ConnectionError`. */
export function spawnProcess(options: SpawnOptions): ChildProcess {
  const { command, args, cwd, env, platform } = options;
  try {
    const invocation =
      platform === 'win32' ? invocationOf(options) : { file: command, args, verbatim: false };
    return childSystem().spawn(invocation.file, [...invocation.args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', options.stderr],
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: invocation.verbatim,
      // A process group of its own, so that it can be ended with all that it starts. On Windows this would open a console.
      detached: platform !== 'win32',
    });
  } catch (error) {
    throw explainSpawn(options, error);
  }
}

/** Resolves when the process runs; rejects with a `ConnectionError` that says why it does not. */
export function started(process: ChildProcess, options: SpawnOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    process.once('spawn', resolve);
    process.once('error', error => reject(explainSpawn(options, error)));
  });
}

function invocationOf(options: SpawnOptions): Invocation {
  const { file } = lookUp(options);
  const comspec = readVariable(options.env, 'COMSPEC', 'win32');
  return invokeOnWindows(file ?? options.command, options.args, comspec);
}

function lookUp(options: SpawnOptions): Found {
  return findCommand({ ...options, cwd: options.cwd ?? process.cwd(), probe });
}

/** What the system says is one word, and the same one for a missing command, directory and interpreter. */
function explainSpawn(options: SpawnOptions, error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const { reason, what, hint } = diagnose(options, error);
  const line = showCommandLine(options);
  return new ConnectionError(
    `cannot start ${JSON.stringify(options.command)}: ${what} (command line: ${line})`,
    {
      phase: 'spawn',
      reason,
      outcome: 'not-sent',
      hint,
      summary: `the server cannot be started (${reason})`,
      cause: error,
    },
  );
}

function diagnose(options: SpawnOptions, error: unknown): { reason: string; what: string; hint: string } {
  const { command, cwd } = options;
  const code = (error as { code?: unknown } | null)?.code;
  const asked = code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR';
  if (asked && cwd !== undefined && probe(cwd) !== 'directory') {
    return {
      reason: 'cwd-not-found',
      what: `its working directory ${JSON.stringify(cwd)} is not there or is no directory`,
      hint: 'Create the directory, or correct `cwd`; the command itself was not looked for.',
    };
  }
  const found = asked ? lookUp(options) : undefined;
  if (found?.file !== undefined && code === 'ENOENT') {
    return {
      reason: 'interpreter-not-found',
      what: `${found.file} is there, but the interpreter named in its first line is not`,
      hint: 'Install the interpreter, or start it by name with the file as its argument.',
    };
  }
  const path =
    found === undefined || found.searched.length === 0
      ? undefined
      : found.searched.join(pathSeparator(options));
  if (code === 'EACCES' || found?.refused !== undefined) {
    return {
      reason: 'command-not-executable',
      what: `${found?.refused ?? command} may not be executed`,
      hint: 'Give it the right to be executed (a directory has none), or start its interpreter with the file as argument.',
    };
  }
  if (code === 'ENOENT') {
    return {
      reason: 'command-not-found',
      what: path === undefined ? 'there is no such file' : 'the command was not found on the PATH',
      hint:
        path === undefined
          ? 'Check the path; a relative one is taken from `cwd`.'
          : `Install it, give its full path, or set PATH in \`env\`. Searched PATH: ${path}`,
    };
  }
  return {
    reason: 'spawn-failed',
    what: messageOf(error),
    hint: 'The system refused to start a process; its message says why.',
  };
}

function pathSeparator(options: SpawnOptions): string {
  return options.platform === 'win32' ? ';' : ':';
}

/** What stands at a path, for `findCommand`. */
export function probe(path: string): Standing {
  try {
    if (statSync(path).isDirectory()) return 'directory';
  } catch {
    return 'absent';
  }
  try {
    accessSync(path, constants.X_OK);
    return 'executable';
  } catch {
    return 'not-executable';
  }
}
