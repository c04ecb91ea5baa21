/**
 * Compares what is stable with `baseline.json`: bytes allocated, files and modules loaded, bytes of bundles. Nothing here
 * reads a clock. `npm run bench:guard`; `-- --update` after a change that is meant, `-- --instructions` counts those too.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/example.mjs';
import { measureBundled, measureEntries, measureFiles } from './guard/built.mjs';
import { hasValgrind, measureInstructions } from './guard/instructions.mjs';
import { compare, isComparable } from './guard/verdict.mjs';

const baseline = join(import.meta.dirname, 'baseline.json');
const node = process.versions.node;

/** In a process of its own: nothing is optimised there, nothing runs beside it, and its young generation is large. */
function measureAllocation() {
  const stable = [
    '--no-opt',
    '--single-threaded',
    '--hash-seed=7',
    '--no-flush-bytecode',
    '--no-memory-reducer',
  ];
  const roomy = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
  const args = [...stable, ...roomy, join(import.meta.dirname, 'allocation.mjs')];
  const { NODE_OPTIONS: _others, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env,
    timeout: 180_000,
  });
  if (status !== 0) throw new Error(`allocation.mjs ended with ${status}\n${stderr}`);
  return JSON.parse(stdout);
}

const measureBuilt = async () => ({ ...measureEntries(), ...measureFiles(), ...(await measureBundled()) });

const isInstructions = name => name.startsWith('instructions:');

async function update(known) {
  const figures = { node, ...(await measureBuilt()), ...measureAllocation() };
  const kept = Object.entries(known).filter(([name]) => isInstructions(name) && known.node === node);
  Object.assign(figures, hasValgrind() ? await measureInstructions() : Object.fromEntries(kept));
  const [fault] = compare(figures, figures).faults;
  if (fault !== undefined) throw new Error(`no baseline is made: ${fault}`);
  writeFileSync(baseline, `${JSON.stringify(figures, null, 2)}\n`);
  console.log(`${Object.keys(figures).length - 1} figures are the new baseline`);
  if (!hasValgrind()) console.log('Instructions were not counted, for valgrind is not installed.');
}

async function judge(known, wantsInstructions) {
  const figures = { node, ...(await measureBuilt()) };
  if (known.node !== node)
    console.log(
      `The baseline was made with Node ${known.node}, this is ${node}: what depends on it is skipped.`,
    );
  if (isComparable('major', known.node, node)) Object.assign(figures, measureAllocation());
  const counts = wantsInstructions && isComparable('all', known.node, node) && hasValgrind();
  if (counts) Object.assign(figures, await measureInstructions());
  else if (wantsInstructions && !hasValgrind())
    console.log('Instructions are skipped, for valgrind is not installed.');
  const { faults, news, compared, left } = compare(known, figures, name => isInstructions(name) && !counts);
  for (const line of news) console.log(line);
  for (const fault of faults) console.error(`bench:guard: ${fault}`);
  const not = left === 0 ? '' : `; ${left} were not compared`;
  if (faults.length === 0) console.log(`${compared} figures are within their baseline${not}`);
  else {
    console.error('If that is meant, run "npm run bench:guard -- --update" and commit bench/baseline.json.');
    process.exitCode = 1;
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.find(option => option !== '--update' && option !== '--instructions');
if (unknown !== undefined) {
  console.error(`bench:guard knows no ${unknown}; it takes --update and --instructions.`);
  process.exitCode = 2;
} else {
  ensureBuilt();
  const known = JSON.parse(readFileSync(baseline, 'utf8'));
  await (wanted.includes('--update') ? update(known) : judge(known, wanted.includes('--instructions')));
}
