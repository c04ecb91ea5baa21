/** A measured process: started under the meter, asked for its CPU time, stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const here = name => fileURLToPath(new URL(name, import.meta.url));

/** Some subjects warn by the thousand; the figures are what is wanted. */
const quiet = '--no-warnings';

/** Who is measured, and where their programs are. */
export const folders = { floor: 'floor', ours: 'ours', official: 'peers' };

export const programOf = (subject, program) => here(`${folders[subject]}/${program}.mjs`);

/** Starts a server of `subject`. */
export function startServer(subject, program, args = []) {
  const child = spawn(
    process.execPath,
    [quiet, '--import', here('meter.mjs'), programOf(subject, program), ...args],
    { stdio: ['pipe', 'pipe', 'inherit', 'ipc'], cwd: here('.') },
  );
  const ended = once(child, 'exit');
  return {
    child,
    /** Microseconds of CPU since its start. */
    async cpu() {
      const answered = once(child, 'message');
      child.send('cpu');
      return (await answered)[0];
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a client of `subject` to its end and gives the figures it printed. */
export async function runClient(subject, program, asked) {
  const child = spawn(process.execPath, [quiet, programOf(subject, program), JSON.stringify(asked)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: here('.'),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', part => {
    printed += part;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} of ${subject} ended with ${code}`);
  return JSON.parse(printed);
}
