/** Installs a published program under `test/peers/` from its own lock file, unless it is there. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The path of `file` in the node_modules of that peer. Throws with what to do when it cannot be installed. */
export async function installPeer(peer: string, file: string): Promise<string> {
  const path = join(resolve('test', 'peers', peer), 'node_modules', file);
  if (existsSync(path)) return path;
  console.log(`installing ${peer} under test/peers (once)`);
  const code = await new Promise<number | null>((done, fail) => {
    const child = spawn(process.execPath, [resolve('scripts', 'peers.mjs'), peer], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', fail);
    child.once('close', done);
  });
  if (code === 0 && existsSync(path)) return path;
  throw new Error(`${peer} could not be installed; run "npm run peers ${peer}" to see why`);
}
