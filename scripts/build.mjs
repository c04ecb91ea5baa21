/** Builds `dist/`: JavaScript as named bundles by esbuild, declarations by tsc. `--js` leaves the declarations out. */
// @ts-check
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { commandEntry, outputFor, outputOf, planBundles } from './bundles.mjs';
import { trimDeclarations } from './declarations.mjs';
import { readModules } from './modules.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src');
const dist = join(root, 'dist');

/** @param {string} script @param {string[]} args */
function run(script, args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
    child.once('error', fail);
    child.once('exit', code =>
      code === 0 ? done(undefined) : fail(new Error(`${script} exited with ${code}`)),
    );
  });
}

/** Imports that leave a bundle become imports of the bundle that holds the file. @type {import('esbuild').Plugin} */
const bundleLinks = {
  name: 'bundle-links',
  setup({ onResolve, onLoad }) {
    const plan = planBundles(readModules(source));
    onResolve({ filter: /^bundle:/ }, ({ path }) => ({
      path: path.slice('bundle:'.length),
      namespace: 'bundle',
    }));
    onLoad({ filter: /.*/, namespace: 'bundle' }, ({ path }) => {
      const offers = [...(plan.get(path)?.offers ?? [])];
      const lines = offers.map(
        ([file, names]) => `export { ${[...names].sort().join(', ')} } from './${file}';`,
      );
      return { contents: lines.join('\n'), resolveDir: source, loader: 'js' };
    });
    onResolve({ filter: /^\.\.?\// }, ({ path, importer, namespace }) => {
      if (namespace !== 'file') return undefined;
      const from = relative(source, importer).split(sep).join('/');
      const target = posix.join(posix.dirname(from), path);
      const here = outputOf(from);
      const there = outputFor(from, target);
      if (here === undefined || there === undefined || here === there) return undefined;
      if (!existsSync(join(source, target))) return undefined;
      const link = posix.relative(posix.dirname(`/${here}`), `/${there}.js`);
      return { path: link.startsWith('.') ? link : `./${link}`, external: true, sideEffects: false };
    });
  },
};

async function bundle() {
  const plan = planBundles(readModules(source));
  const points = [...plan]
    .filter(([, { entry, offers }]) => entry !== undefined || offers.size > 0)
    .map(([output, { entry }]) => [output, entry === undefined ? `bundle:${output}` : join(source, entry)]);
  // Lines stay short enough for a stack trace to point somewhere; `--readable` is for those who step through.
  const small = { minify: true, lineLimit: 120, legalComments: /** @type {const} */ ('none') };
  await bundleAll(Object.fromEntries(points), process.argv.includes('--readable') ? {} : small);
  const command = join(dist, `${outputOf(commandEntry)}.js`);
  if (existsSync(command)) chmodSync(command, 0o755);
}

/** @param {Record<string, string>} entryPoints @param {import('esbuild').BuildOptions} [options] */
async function bundleAll(entryPoints, options = {}) {
  await build({
    ...options,
    entryPoints,
    outdir: dist,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    external: ['node:*'],
    plugins: [bundleLinks],
    logLevel: 'warning',
  });
}

/** Puts the schema of configurations where editors find it, on one line: nobody reads it as a text. */
async function writeConfigSchema() {
  const { configSchema } = await import(pathToFileURL(join(dist, 'bridge.js')).href);
  writeFileSync(join(dist, 'tenon.config.schema.json'), `${JSON.stringify(configSchema)}\n`);
}

async function declare() {
  await run(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ['-p', 'tsconfig.build.json']);
  // tsc does not copy declarations that were written by hand.
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts')) cpSync(join(source, name), join(dist, 'types', name));
  }
  trimDeclarations(join(dist, 'types'));
}

try {
  const vendor = join(root, 'scripts', 'vendor.mjs');
  if (existsSync(vendor)) await run(vendor, []);
  const scriptsOnly = process.argv.includes('--js');
  mkdirSync(dist, { recursive: true });
  for (const name of readdirSync(dist)) {
    if (!scriptsOnly || name !== 'types') rmSync(join(dist, name), { recursive: true, force: true });
  }
  await Promise.all(scriptsOnly ? [bundle()] : [bundle(), declare()]);
  await writeConfigSchema();
} catch (error) {
  // esbuild has printed its own findings already.
  if (!(error instanceof Error && 'errors' in error)) console.error(String(error));
  process.exitCode = 1;
}
