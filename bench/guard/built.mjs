/** Figures of what is built, by reading it: files and modules of Node that an entry loads, bytes of files and bundles. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseModule } from '../../scripts/modules.mjs';
import { bundleOf } from '../sizes.mjs';
import { programOf } from '../subject.mjs';

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');

/** Those whose start is weighed; the modules of Node are noted for every entry. */
const weighed = ['client', 'server', 'stdio', 'node', 'index', 'agent', 'cli'];

const sum = numbers => numbers.reduce((total, number) => total + number, 0);

/** By path, what a file of ours imports at its start. */
const imported = new Map();

function importsOf(path) {
  if (!imported.has(path)) {
    const { imports } = parseModule(path, readFileSync(path, 'utf8'));
    imported.set(
      path,
      imports.filter(({ kind }) => kind === 'value').map(({ specifier }) => specifier),
    );
  }
  return imported.get(path);
}

/** What the start of an entry loads: files of ours, itself included, and modules that are not ours. */
function loadedBy(entry) {
  const files = new Set([entry]);
  const modules = new Set();
  for (const path of files) {
    for (const specifier of importsOf(path)) {
      if (specifier.startsWith('.')) files.add(join(dirname(path), specifier));
      else modules.add(specifier);
    }
  }
  return { files: [...files], modules: [...modules].sort() };
}

/** JavaScript of every subpath and command that package.json names. */
function entries() {
  const { exports, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const published = [...Object.values(exports).map(target => target.default), ...Object.values(bin)];
  return published.filter(path => path?.endsWith('.js')).map(path => join(root, path));
}

export function measureEntries() {
  const figures = {};
  for (const entry of entries()) {
    const name = relative(dist, entry).slice(0, -'.js'.length);
    const { files, modules } = loadedBy(entry);
    figures[`modules: ${name}`] = modules.join(' ');
    if (!weighed.includes(name)) continue;
    figures[`files: ${name}`] = files.length;
    figures[`bytes: ${name} at start`] = sum(files.map(path => statSync(path).size));
  }
  return figures;
}

/** Each bundle by itself: in the sum, one could double unseen. */
export function measureFiles() {
  const figures = {};
  const all = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'));
  figures['bytes: all JavaScript'] = sum(all.map(name => statSync(join(dist, name)).size));
  for (const name of readdirSync(join(dist, 'bundles')).sort())
    figures[`bundle: ${name}`] = statSync(join(dist, 'bundles', name)).size;
  return figures;
}

export async function measureBundled() {
  const figures = {};
  for (const side of ['server', 'client']) {
    const { start, all } = await bundleOf(programOf('ours', `bundled-${side}`));
    figures[`bytes: bundled ${side} at start`] = Math.round(start * 1000);
    figures[`bytes: bundled ${side}, all`] = Math.round(all * 1000);
  }
  return figures;
}
