/** Who is measured, and a measured process: started under the meter, asked for what it used, stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = name => fileURLToPath(new URL(name, import.meta.url));

/** Some subjects warn by the thousand; the figures are what is wanted. */
const quiet = '--no-warnings';

const both = ['handshake', 'stateless'];
const older = ['handshake'];

/**
 * By name: what the report calls it, where its programs are, the eras it speaks (and the newest revision of the
 * handshake era, where that is an older one), and which share of the calls tells the
 * same as all of them, for those who take so much longer.
 */
export const subjects = {
  floor: { label: 'floor', folder: 'floor', eras: both, share: 1 },
  ours: { label: 'Tenon', folder: 'ours', eras: both, share: 1 },
  'mcp-lite': {
    label: 'mcp-lite',
    folder: 'peers/mcp-lite',
    eras: older,
    share: 0.5,
    revision: '2025-06-18',
  },
  tmcp: { label: 'tmcp', folder: 'peers/tmcp', eras: both, share: 0.3, revision: '2025-06-18' },
  fastmcp: { label: 'fastmcp', folder: 'peers/fastmcp', eras: older, share: 0.15 },
  'ai-sdk': { label: 'AI SDK', folder: 'peers/ai-sdk', eras: older, share: 0.2 },
  'sdk-v1': { label: 'official 1.32', folder: 'peers/sdk-v1', eras: older, share: 0.2 },
  official: { label: 'official 2.4', folder: 'peers/official', eras: both, share: 0.2 },
};

export const folderOf = subject => here(subjects[subject].folder);

export const programOf = (subject, program) => here(`${subjects[subject].folder}/${program}.mjs`);

/** True when the subject has such a program and speaks the era. */
export function takesPart(subject, program, era = 'handshake') {
  return existsSync(programOf(subject, program)) && subjects[subject].eras.includes(era);
}

/** Starts a server of `subject`. */
export function startServer(subject, program, args = []) {
  const child = spawn(
    process.execPath,
    [quiet, '--expose-gc', '--import', here('meter.mjs'), programOf(subject, program), ...args],
    { stdio: ['pipe', 'pipe', 'inherit', 'ipc'], cwd: here('.') },
  );
  const ended = once(child, 'exit');
  const ask = async what => {
    const answered = once(child, 'message');
    child.send(what);
    return (await answered)[0];
  };
  return {
    child,
    /** Microseconds of CPU since its start. */
    cpu: () => ask('cpu'),
    /** Bytes of its heap after a full collection. */
    heap: () => ask('heap'),
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a program of `subject` to its end and gives the figures it printed. */
export async function runProgram(subject, program, asked) {
  return runFile(programOf(subject, program), [JSON.stringify(asked)]);
}

/** As `runProgram`, for any file. */
export async function runFile(file, args) {
  const child = spawn(process.execPath, [quiet, file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: here('.'),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', part => {
    printed += part;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(printed);
}
