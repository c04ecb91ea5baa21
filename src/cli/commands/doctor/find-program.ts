/** Looks for the program that an entry names, where and as it would be started. */
import { resolve } from 'node:path';
import type { ServerEntry } from '../../../bridge/allow-list/server-entry.ts';
import { childEnvironment, type Inherit } from '../../../channels/child-environment.ts';
import { probe } from '../../../channels/child-spawn.ts';
import { findCommand } from '../../../channels/command-lookup.ts';
import { commandNotFound } from './remedies-process.ts';
import type { Finding } from './report.ts';

export type FoundProgram =
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly finding: Finding };

type Program = Extract<ServerEntry, { transport: 'stdio' }>;

export function findProgram(
  { command, env: own, cwd: folder }: Program,
  inherit: Inherit,
  from: Readonly<Record<string, string | undefined>>,
): FoundProgram {
  const { platform } = process;
  const cwd = resolve(folder ?? '.');
  if (probe(cwd) !== 'directory') {
    const cause = `its working folder ${JSON.stringify(folder)} is not there, or is no folder`;
    const remedy = 'Create the folder, or correct "cwd" of its entry.';
    return { ok: false, finding: { code: 'cwd-not-found', cause, remedy } };
  }
  const env = childEnvironment({ platform, from, inherit, own });
  const { file, refused, searched } = findCommand({ command, cwd, platform, env, probe });
  if (file !== undefined) return { ok: true, file };
  if (refused !== undefined) {
    const cause = `${refused} is there, but may not be executed`;
    const remedy = 'Run chmod +x on it, or give its interpreter as command and the file as argument.';
    return { ok: false, finding: { code: 'command-not-executable', cause, remedy } };
  }
  const where =
    searched.length === 0
      ? `Check the path; a relative one is taken from ${cwd}.`
      : `Install it, give its full path, or set PATH in "env". Searched: ${searched.join(', ')}`;
  return { ok: false, finding: commandNotFound(command, where) };
}
