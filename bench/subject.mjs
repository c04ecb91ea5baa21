/** Who is measured, and a measured process: started under the meter, asked for what it used, stopped. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOf, start } from './children.mjs';

const here = name => fileURLToPath(new URL(name, import.meta.url));

/** Some subjects warn by the thousand; the figures are what is wanted. */
const quiet = '--no-warnings';

const both = ['handshake', 'stateless'];
const older = ['handshake'];

/**
 * By name: what the report calls it, where its programs are, the eras it speaks (and the newest revision of the
 * handshake era, where that is an older one), and which share of the calls tells the
 * same as all of them, for those who take so much longer. `sized: false`: what is installed there is more than an end of
 * the protocol, and not compared.
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
  'ai-sdk-agent': {
    label: 'AI SDK, its agents',
    folder: 'peers/ai-sdk-agent',
    eras: older,
    share: 0.5,
    sized: false,
  },
  'openai-agents': {
    label: 'OpenAI Agents',
    folder: 'peers/openai-agents',
    eras: older,
    share: 0.1,
    sized: false,
  },
  'sdk-v1': { label: 'official 1.32', folder: 'peers/sdk-v1', eras: older, share: 0.2 },
  official: { label: 'official 2.4', folder: 'peers/official', eras: both, share: 0.2 },
};

export const folderOf = subject => here(subjects[subject].folder);

export const programOf = (subject, program) => here(`${subjects[subject].folder}/${program}.mjs`);

/** True when the subject has such a program and speaks the era. */
export function takesPart(subject, program, era = 'handshake') {
  return existsSync(programOf(subject, program)) && subjects[subject].eras.includes(era);
}

/** Starts a server of `subject`, with the meter in it. */
export function startServer(subject, program, args = []) {
  // As a URL: a path may hold what is special in one.
  const meter = new URL('meter.mjs', import.meta.url).href;
  const { child, stop } = start(
    process.execPath,
    [quiet, '--expose-gc', '--import', meter, programOf(subject, program), ...args],
    { name: `${subjects[subject].folder}/${program}.mjs`, ipc: true, isServer: true, cwd: here('.') },
  );
  const ask = async what => {
    const answered = once(child, 'message');
    child.send(what, () => {});
    return (await answered)[0];
  };
  return {
    child,
    /** Microseconds of CPU since its start. */
    cpu: () => ask('cpu'),
    /** Bytes of its heap and of what that holds outside, after full collections. */
    heap: () => ask('heap'),
    stop,
  };
}

/** Starts a server as its users do, without the meter: for what the start itself costs. */
export function startBare(file) {
  const { child, stop } = start(process.execPath, [quiet, file], {
    name: basename(file),
    isServer: true,
    cwd: here('.'),
  });
  return {
    child,
    /** Microseconds of CPU since its start, of all its threads, as the system counts them. */
    cpu() {
      const threads = `/proc/${child.pid}/task`;
      const used = readdirSync(threads).map(thread =>
        Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
      );
      return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1000;
    },
    stop,
  };
}

/** Runs a program of `subject` to its end and gives the figures it printed. */
export async function runProgram(subject, program, asked) {
  return runFile(programOf(subject, program), [JSON.stringify(asked)]);
}

/** As `runProgram`, for any file. */
export async function runFile(file, args) {
  const { child, closed } = start(process.execPath, [quiet, file, ...args], {
    stdin: 'ignore',
    cwd: here('.'),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', part => {
    printed += part;
  });
  const end = await closed;
  if (end.code !== 0 || printed === '') throw new Error(`${basename(file)} ${endOf(end)}`);
  return JSON.parse(printed);
}
