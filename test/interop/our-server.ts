/** Makes the small server on our API runnable: Node 20 cannot strip types, so it is bundled to a temporary file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface BuiltServer {
  readonly command: string;
  readonly args: readonly string[];
  remove(): Promise<void>;
}

export async function buildOurServer(): Promise<BuiltServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-our-server-'));
  const file = join(folder, 'our-server.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../fixtures/our-server.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return {
    command: process.execPath,
    args: [file],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
