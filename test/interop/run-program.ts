/** Runs a program to its end: what it printed, or an error that holds what it said instead. */
import { type SpawnOptions, spawn } from 'node:child_process';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** Rejects when it ends with another code than 0. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<Ran> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ran = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (part: string) => {
      ran[name] += part;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return ran;
  throw new Error(`${[command, ...args].join(' ')} ended with ${code}\n${ran.stdout}${ran.stderr}`);
}
