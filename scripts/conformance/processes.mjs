/** Child processes that cannot outlive their limit or this program: each in a group of its own, ended as a group. */
// @ts-check
import { spawn } from 'node:child_process';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** @param {import('node:child_process').ChildProcess} child */
function endGroup(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

/** Ends everything that was started here. */
export function endAll() {
  for (const child of running) endGroup(child);
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => {
    endAll();
    process.exit(130);
  });
}
process.once('exit', endAll);

/** @param {string} command @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
function start(command, args, env = process.env) {
  const child = spawn(command, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    // Whatever it started and left behind.
    endGroup(child);
  });
  return child;
}

/**
 * Runs a command to its end or its limit; never rejects.
 * @param {string} command @param {readonly string[]} args @param {number} limit milliseconds
 * @returns {Promise<{ code: number | undefined, output: string, isLate: boolean }>}
 */
export function run(command, args, limit) {
  return new Promise(done => {
    const child = start(command, args);
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', chunk => {
        output += chunk;
      });
    }
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, limit);
    child.once('error', error => {
      clearTimeout(timer);
      running.delete(child);
      done({ code: undefined, output: String(error), isLate });
    });
    child.once('close', code => {
      clearTimeout(timer);
      done({ code: code ?? undefined, output, isLate });
    });
  });
}

/**
 * Starts a server and waits for the line in which it says its address. Its other words are kept for `said`.
 * @param {string} command @param {readonly string[]} args @param {number} limit milliseconds until the line
 * @returns {Promise<{ url: string, said(): string, stop(): Promise<void> }>}
 */
export function startServer(command, args, limit) {
  return new Promise((done, fail) => {
    const child = start(command, args);
    let output = '';
    const ended = new Promise(resolve => child.once('close', resolve));
    const timer = setTimeout(() => give(new Error(`said no address within ${limit / 1000} s`)), limit);
    /** @param {Error} error */
    const give = error => {
      clearTimeout(timer);
      endGroup(child);
      fail(new Error(`${[command, ...args].join(' ')}: ${error.message}\n${output}`));
    };
    const stop = async () => {
      const late = setTimeout(() => endGroup(child), 5_000);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(late);
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', chunk => {
        output += chunk;
        const url = /^https?:\/\/\S+$/m.exec(output)?.[0];
        if (url === undefined) return;
        clearTimeout(timer);
        done({ url, said: () => output, stop });
      });
    }
    child.once('error', give);
    child.once('close', code => give(new Error(`ended with ${code} before it said its address`)));
  });
}
