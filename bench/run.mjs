/** Measures what things cost: `npm run bench -- --help` says how. The tables are printed; `--write` puts them into docs/benchmarks.md. */
import { openSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../scripts/example.mjs';
import { bounded, endWithRunner } from './children.mjs';
import { ensureInstalled } from './install.mjs';
import { readOptions, usage } from './options.mjs';
import { printPage } from './page.mjs';
import { asData, printSizes, printTable, summarize } from './report.mjs';
import { rows } from './rows/all.mjs';
import { measureSizes } from './sizes.mjs';
import { subjects as known } from './subject.mjs';

/** Where more rounds would tell little, and take long: how many are enough once a row has taken so many milliseconds. */
const enough = { rounds: 3, after: 40_000 };

/** Whoever takes longer for one measurement, in milliseconds, makes it once: the whole has to end. */
const long = 60_000;

const { help, fault, options } = readOptions(process.argv.slice(2), {
  rows: rows.map(({ name }) => name),
  known: Object.keys(known),
});
if (help) console.log(usage);
else if (fault !== undefined) leave(2, fault);
else await run(options);

function leave(code, why) {
  console.error(`bench: ${why}`);
  process.exit(code);
}

/** Before anything is measured: a whole run takes half an hour. */
function opened(file) {
  try {
    return openSync(file, 'w');
  } catch (error) {
    return leave(2, `--json: ${error.message}`);
  }
}

async function run({ chosen, whole, subjects, rounds, limit, quick, write, json }) {
  endWithRunner();
  // Where the figures are what is printed, how far it is goes elsewhere.
  const show = json === true ? console.error : console.log;
  const file = typeof json === 'string' ? opened(json) : undefined;
  const measured = rows
    .filter(({ name }) => chosen.includes(name))
    .map(row => ({ row, taking: subjects.filter(subject => row.has(subject)) }))
    .filter(({ taking }) => taking.length > 0);
  const sized = whole ? subjects.filter(name => name !== 'floor' && known[name].sized !== false) : [];
  try {
    ensureBuilt();
    const needed = new Set([...measured.flatMap(({ taking }) => taking), ...sized]);
    for (const subject of needed) await ensureInstalled(subject);
    const summaries = [];
    for (const { row, taking } of measured) {
      const summary = summarize(row, await sample(row, taking, { rounds, limit, scale: quick ? 0.3 : 1 }));
      summaries.push(summary);
      show(printTable([summary]).split('\n').toSpliced(1, 1).join('\n'));
    }
    const sizes = [];
    for (const subject of sized) sizes.push(await measureSizes(subject));
    if (sizes.length > 0) show(printSizes(sizes));
    const when = new Date().toISOString().slice(0, 7);
    const facts = { node: process.versions.node, cores: cpus().length, rounds, when };
    const data = JSON.stringify({ ...facts, ...asData(summaries, sizes) }, null, 1);
    if (json === true) console.log(data);
    else if (file !== undefined) writeFileSync(file, `${data}\n`);
    if (write)
      writeFileSync(
        fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url)),
        printPage(summaries, sizes, facts),
      );
  } catch (error) {
    leave(1, error.message);
  }
}

/** Those who take part in a row take turns: subject → its samples. */
async function sample(row, taking, { rounds, limit, scale }) {
  const samples = Object.fromEntries(taking.map(subject => [subject, []]));
  const began = performance.now();
  const done = new Set();
  for (let round = 0; round < rounds; round += 1) {
    if (round >= enough.rounds && performance.now() - began > enough.after) break;
    for (const subject of taking.filter(name => !done.has(name))) {
      const start = performance.now();
      try {
        samples[subject].push(await bounded(() => row.measure(subject, scale), limit));
        if (performance.now() - start > long) done.add(subject);
      } catch (error) {
        throw new Error(`${subject} in "${row.name}": ${error.message}`, { cause: error });
      }
    }
  }
  return samples;
}
