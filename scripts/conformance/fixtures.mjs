/** The programs under test: built from the source, started on the Node that runs this. */
// @ts-check
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { startServer } from './processes.mjs';

const root = resolve(import.meta.dirname, '..', '..');
const folder = join(root, '.cache', 'conformance');
const source = join(root, 'test', 'conformance');

/** Each fixture as one file, with the package's subpaths taken from the source. @param {Record<string, string>} entryPoints */
async function bundle(entryPoints) {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
  });
}

const server = join(folder, 'server.mjs');
export const client = join(folder, 'client.mjs');

export async function buildFixtures() {
  await bundle({
    server: join(source, 'server.ts'),
    client: join(source, 'client.ts'),
    yaml: join(root, 'src', 'extensions', 'skills', 'yaml.ts'),
  });
}

/** What `expected.yml` says. @param {string} text @returns {Promise<any>} */
export async function readExpected(text) {
  const { readYaml } = await import(pathToFileURL(join(folder, 'yaml.mjs')).href);
  return readYaml(text);
}

/** @param {'http' | 'stdio'} transport */
export function startFixture(transport) {
  if (transport === 'http') return startServer(process.execPath, [server, '0'], 15_000);
  return startServer(
    process.execPath,
    [join(source, 'bridge.mjs'), '0', process.execPath, server, '--stdio'],
    15_000,
  );
}
