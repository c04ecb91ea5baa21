/**
 * Processes that are measured: each leads a group of its own, and none is left behind, whatever ends the runner. One that
 * dies, and one that hangs, fails the measurement with what it said.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Those that run: what each said last on stderr. */
const living = new Map();
/** So many characters of stderr are kept. */
const kept = 2000;

let keeper;
function tell(line) {
  if (keeper === undefined) {
    const file = fileURLToPath(new URL('keeper.mjs', import.meta.url));
    keeper = spawn(process.execPath, [file], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    keeper.unref();
    keeper.stdin.unref();
    keeper.stdin.on('error', () => {});
  }
  keeper.stdin.write(`${line}\n`);
}

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of its group is left.
  }
}

function endAll() {
  for (const child of living.keys()) kill(child);
}

/** From here on the end of the runner, by a signal or by itself, ends all at once. */
export function endWithRunner() {
  process.once('exit', endAll);
  for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(code));
}

/** Fails the measurement that is under way. */
let onDeath = () => {};

/**
 * Starts a program; `name` is what a message calls it. `isServer`: it runs until `stop`, and its end before that fails the measurement. `closed` resolves
 * with `{ code, signal, said }`, the last being the end of its stderr.
 */
export function start(
  command,
  args,
  { name = 'its process', stdin = 'pipe', ipc = false, isServer = false, ...options },
) {
  const child = spawn(command, args, {
    ...options,
    stdio: [stdin, 'pipe', 'pipe', ...(ipc ? ['ipc'] : [])],
    detached: true,
  });
  if (child.pid !== undefined) tell(`+${child.pid}`);
  living.set(child, '');
  // A pipe to one that died; its end says more.
  child.stdin?.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', part => {
    living.set(child, (living.get(child) + part).slice(-kept));
  });
  let isStopping = false;
  const closed = ended(child).then(({ code, signal }) => {
    const said = living.get(child);
    living.delete(child);
    // What works with it may hear of a broken connection, and stop it, before its end is known here.
    const isStopped = isStopping && signal === 'SIGKILL';
    if (isServer && !isStopped) onDeath(new Error(`${name} ${endOf({ code, signal, said })}`));
    return { code, signal, said };
  });
  const stop = async () => {
    isStopping = true;
    kill(child);
    await closed;
  };
  return { child, closed, stop };
}

async function ended(child) {
  // Whoever it started holds its pipes open.
  child.once('exit', () => kill(child));
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'close')]);
  tell(`-${child.pid}`);
  return { code, signal };
}

/** In words, with what it said last. */
export function endOf({ code, signal, said }) {
  const waited = code === 13 ? ', waiting for what never came' : '';
  return `ended with ${signal ?? code}${waited}${quoted(said)}`;
}

const quoted = said => (said.trim() === '' ? '' : `; it said last:\n${said.trim().replace(/^/gm, '  ')}`);

/** After a broken connection its process may be dying: so many milliseconds are left for the news of it. */
const grace = 500;

/** One measurement: what `work` gives, within so many seconds, and all processes that live; they are ended after it. */
export async function bounded(work, seconds) {
  const timers = [];
  const after = (time, fail) => timers.push(setTimeout(fail, time));
  const died = new Promise((_resolve, reject) => {
    onDeath = reject;
  });
  const late = new Promise((_resolve, reject) => {
    after(seconds * 1000, () => {
      const said = [...living.values()].join('\n');
      reject(new Error(`no figure came within ${seconds} s${quoted(said)}`));
    });
  });
  try {
    return await Promise.race([
      died,
      late,
      work().catch(error => {
        const own = new Promise((_resolve, reject) => after(grace, () => reject(error)));
        return Promise.race([died, own]);
      }),
    ]);
  } finally {
    onDeath = () => {};
    timers.forEach(clearTimeout);
    endAll();
  }
}
