/**
 * Measures what things cost: `npm run bench -- [--only TEXT] [--subjects floor,ours] [--rounds N] [--quick] [--write]`.
 * `--write` puts the tables into docs/benchmarks.md; without, they are printed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/example.mjs';
import { printPage, printSizes, printTable, summarize } from './report.mjs';
import { rows } from './rows/all.mjs';
import { measureSizes } from './sizes.mjs';
import { folderOf, subjects as known } from './subject.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    subjects: { type: 'string', default: Object.keys(known).join(',') },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const chosen = rows.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));
const subjects = [...new Set(['floor', ...values.subjects.split(',')])];
const unknown = subjects.filter(subject => !(subject in known));
const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
/** Where more rounds would tell little, and take long: how many are enough once a row has taken so many milliseconds. */
const enough = { rounds: 3, after: 40_000 };
const fault =
  chosen.length === 0
    ? `no row is named like "${values.only}"; there are:\n  ${rows.map(({ name }) => name).join('\n  ')}`
    : unknown.length > 0
      ? `there is no subject ${unknown.join(', ')}; there are ${Object.keys(known).join(', ')}`
      : !(Number.isInteger(rounds) && rounds > 0) && '--rounds must be a whole number above 0';
if (fault) {
  console.error(`bench: ${fault}`);
  process.exit(2);
}
ensureBuilt();
for (const subject of subjects) {
  const folder = folderOf(subject);
  if (!existsSync(join(folder, 'package.json')) || existsSync(join(folder, 'node_modules'))) continue;
  const { status } = spawnSync('npm', ['ci', '--no-progress', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}

const summaries = [];
for (const row of chosen) {
  const taking = subjects.filter(subject => row.has(subject));
  const samples = Object.fromEntries(taking.map(subject => [subject, []]));
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    if (round >= enough.rounds && performance.now() - began > enough.after) break;
    for (const subject of taking) samples[subject].push(await row.measure(subject, values.quick ? 0.3 : 1));
  }
  const summary = summarize(row, samples);
  summaries.push(summary);
  console.log(printTable([summary]).split('\n').toSpliced(1, 1).join('\n'));
}
const sizes = [];
if (values.only === '') {
  for (const subject of subjects.filter(name => name !== 'floor' && known[name].sized !== false))
    sizes.push(await measureSizes(subject));
  console.log(printSizes(sizes));
}
const when = new Date().toISOString().slice(0, 7);
const facts = { node: process.versions.node, cores: cpus().length, rounds, when };
if (values.write) {
  writeFileSync(
    fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)),
    printPage(summaries, sizes, facts),
  );
}
