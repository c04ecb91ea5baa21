/** What is installed with each subject, and what a bundle of its programs holds. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { folderOf, programOf } from './subject.mjs';

const root = resolve(import.meta.dirname, '..');

/** Packages and megabytes of an installation. */
function installOf(subject) {
  if (subject === 'ours') {
    const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    });
    return { packages: 1, megabytes: JSON.parse(packed.stdout)[0].unpackedSize / 1e6 };
  }
  const modules = join(folderOf(subject), 'node_modules');
  let packages = 0;
  let bytes = 0;
  const walk = folder => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !(folder === modules && entry.name === '.bin')) walk(path);
      else if (entry.isFile()) bytes += statSync(path).size;
      if (entry.name !== 'node_modules' && entry.isDirectory() && isPackage(folder, entry.name))
        packages += 1;
    }
  };
  walk(modules);
  return { packages, megabytes: bytes / 1e6 };
}

/** A folder directly within `node_modules`, or within a scope there. */
function isPackage(folder, name) {
  if (name.startsWith('.') || name.startsWith('@')) return false;
  return /(^|[/\\])node_modules([/\\]@[^/\\]+)?$/.test(folder);
}

/** As users would bundle a program; `required` where CommonJS in it calls for modules of Node. */
const bundleOptions = (entryPoints, outdir, required) => ({
  entryPoints,
  outdir,
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  metafile: true,
  logLevel: 'silent',
  // Optional to one of the subjects, and not installed.
  external: ['effect', 'sury'],
  // Ours is bundled as it is published, not from its sources.
  tsconfigRaw: '{}',
  ...(required && { banner: { js: requiring } }),
});
const requiring =
  "import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);";

/** What esbuild makes of one program. */
export async function bundle(entry, outdir, more = {}) {
  const made = required => build({ ...bundleOptions([entry], outdir, required), ...more, write: false });
  const first = await made(false);
  const isMixed = Object.values(first.metafile.inputs).some(({ format }) => format === 'cjs');
  return isMixed ? made(true) : first;
}

/** Kilobytes of what a program loads at start, and of all it may load. */
export async function bundleOf(entry) {
  const { outputs } = (await bundle(entry, join(root, '.cache', 'bench-bundle'))).metafile;
  const first = Object.keys(outputs).find(path => {
    const { entryPoint } = outputs[path];
    return entryPoint !== undefined && resolve(entryPoint) === resolve(entry);
  });
  const sum = follows => {
    const paths = new Set([first]);
    for (const path of paths) {
      for (const { path: next, kind } of outputs[path]?.imports ?? [])
        if (follows(kind) && outputs[next]) paths.add(next);
    }
    return [...paths].reduce((bytes, path) => bytes + outputs[path].bytes, 0) / 1000;
  };
  return { start: sum(kind => kind !== 'dynamic-import'), all: sum(() => true) };
}

/** Of one subject; what it has no program for is left out. */
export async function measureSizes(subject) {
  const of = async program => {
    const file = programOf(subject, program);
    return existsSync(file) ? await bundleOf(file) : undefined;
  };
  return {
    subject,
    ...installOf(subject),
    server: await of('bundled-server'),
    client: await of('bundled-client'),
  };
}
