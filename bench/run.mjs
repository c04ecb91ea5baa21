/**
 * Measures what a call costs: `npm run bench -- [--only TEXT] [--subjects floor,ours] [--rounds N] [--quick] [--write]`.
 * `--write` puts the table into docs/benchmarks.md; without, it is printed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/example.mjs';
import { printPage, printTable, summarize } from './report.mjs';
import { rows } from './rows.mjs';
import { folders } from './subject.mjs';

const here = name => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    subjects: { type: 'string', default: Object.keys(folders).join(',') },
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const chosen = rows.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));
const subjects = [...new Set(['floor', ...values.subjects.split(',')])];
const unknown = subjects.filter(subject => !(subject in folders));
const rounds = Number(values.rounds ?? (values.quick ? 2 : 5));
const fault =
  chosen.length === 0
    ? `no row is named like "${values.only}"; there are:\n  ${rows.map(({ name }) => name).join('\n  ')}`
    : unknown.length > 0
      ? `there is no subject ${unknown.join(', ')}; there are ${Object.keys(folders).join(', ')}`
      : !(Number.isInteger(rounds) && rounds > 0) && '--rounds must be a whole number above 0';
if (fault) {
  console.error(`bench: ${fault}`);
  process.exit(2);
}
ensureBuilt();
if (subjects.includes('official') && !existsSync(here('peers/node_modules'))) {
  const { status } = spawnSync('npm', ['ci', '--no-progress'], { cwd: here('peers'), stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const summaries = [];
for (const row of chosen) {
  const samples = Object.fromEntries(subjects.map(subject => [subject, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) samples[subject].push(await row.measure(subject, values.quick ? 0.3 : 1));
  }
  const summary = summarize(row, samples);
  summaries.push(summary);
  console.log(printTable([summary]).split('\n').at(-1));
}
const when = new Date().toISOString().slice(0, 7);
const facts = { node: process.versions.node, cores: cpus().length, rounds, when };
if (values.write) writeFileSync(here('../docs/benchmarks.md'), printPage(summaries, facts));
