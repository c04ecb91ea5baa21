/**
 * Compares what is stable with `baseline.json`: bytes allocated, files loaded, bytes of bundles. Nothing here reads a
 * clock. `npm run bench:guard`; `-- --update` after a change that is meant.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ensureBuilt } from '../scripts/example.mjs';
import { parseModule } from '../scripts/modules.mjs';
import { bundleOf } from './sizes.mjs';
import { programOf } from './subject.mjs';

const dist = resolve(import.meta.dirname, '..', 'dist');
const baseline = join(import.meta.dirname, 'baseline.json');

/** By how much a figure may be above its baseline. Runtimes allocate a little differently; files and bytes do not. */
const tolerance = { allocated: 0.1, heap: 0.15, files: 0, bytes: 0.02 };

/** Files of ours that an entry loads at start, itself included. */
function loadedFiles(entry) {
  const loaded = new Set([join(dist, entry)]);
  for (const path of loaded) {
    for (const { specifier, kind } of parseModule(path, readFileSync(path, 'utf8')).imports) {
      if (kind === 'value' && specifier.startsWith('.')) loaded.add(join(dirname(path), specifier));
    }
  }
  return [...loaded];
}

const sum = numbers => numbers.reduce((total, number) => total + number, 0);

function measureEntries() {
  const figures = {};
  for (const entry of ['client', 'server', 'stdio', 'node', 'index', 'agent', 'cli']) {
    const files = loadedFiles(`${entry}.js`);
    figures[`files: ${entry}`] = files.length;
    figures[`bytes: ${entry} at start`] = sum(files.map(path => statSync(path).size));
  }
  const all = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'));
  figures['bytes: all JavaScript'] = sum(all.map(name => statSync(join(dist, name)).size));
  return figures;
}

async function measureBundles() {
  const figures = {};
  for (const side of ['server', 'client']) {
    const { start, all } = await bundleOf(programOf('ours', `bundled-${side}`));
    figures[`bytes: bundled ${side} at start`] = Math.round(start * 1000);
    figures[`bytes: bundled ${side}, all`] = Math.round(all * 1000);
  }
  return figures;
}

/** In a process of its own: nothing is optimised there, and nothing collected while it counts. */
function measureAllocation() {
  const flags = ['--expose-gc', '--no-opt', '--min-semi-space-size=64', '--max-semi-space-size=64'];
  const file = join(import.meta.dirname, 'allocation.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`allocation.mjs ended with ${status}\n${stderr}`);
  return JSON.parse(stdout);
}

ensureBuilt();
const figures = { ...measureEntries(), ...(await measureBundles()), ...measureAllocation() };
if (process.argv.includes('--update')) {
  writeFileSync(baseline, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`${Object.keys(figures).length} figures are the new baseline`);
} else {
  const known = JSON.parse(readFileSync(baseline, 'utf8'));
  const faults = [];
  for (const name of new Set([...Object.keys(known), ...Object.keys(figures)])) {
    const [before, now] = [known[name], figures[name]];
    const allowed = tolerance[name.slice(0, name.indexOf(':'))];
    if (before === undefined || now === undefined) faults.push(`${name} is in only one of baseline and run`);
    else if (now > before * (1 + allowed)) faults.push(`${name}: ${now}, the baseline is ${before}`);
    else if (now < before * (1 - allowed))
      console.log(`${name}: ${now}, down from ${before}; worth --update`);
  }
  for (const fault of faults) console.error(`bench:guard: ${fault}`);
  if (faults.length > 0) {
    console.error('If that is meant, run "npm run bench:guard -- --update" and commit bench/baseline.json.');
    process.exitCode = 1;
  } else console.log(`${Object.keys(known).length} figures are within their baseline`);
}
