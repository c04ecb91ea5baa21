/** Runs one example against the built package: `node scripts/example.mjs examples/NAME.ts [arguments]`. */
// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Builds the JavaScript of the package unless it is newer than the source. */
export function ensureBuilt() {
  const built = join(root, 'dist', 'index.js');
  const since = existsSync(built) ? statSync(built).mtimeMs : 0;
  const isNewer = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).some(
    name => /\.ts$/.test(name) && statSync(join(root, 'src', name)).mtimeMs > since,
  );
  if (!isNewer) return;
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--js'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the build failed; its findings stand above');
}

/** Node 20 cannot strip types, so an example is translated first. @param {string} file @returns {Promise<string>} the program to run */
export async function translate(file) {
  const name = relative(root, resolve(file)).replace(/\.ts$/, '.mjs');
  // Inside the project, so that the package finds itself by its name.
  const outfile = join(root, '.cache', name);
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [resolve(file)],
    outfile,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || !existsSync(file)) {
    console.error(
      `no such example: ${file ?? '(none given)'}; run node scripts/example.mjs examples/NAME.ts`,
    );
    process.exit(2);
  }
  ensureBuilt();
  const child = spawn(process.execPath, [await translate(file), ...rest], { stdio: 'inherit' });
  // The example is told by the terminal itself; whoever signals this process alone means the example.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
