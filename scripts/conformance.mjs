/**
 * Runs the official conformance suites against our server and our client: `npm run conformance`.
 * `--all-selections`: every selection they offer, not only `all`; `--only TEXT`: selections whose name holds it;
 * `--scenario NAME`: client scenarios of that name; `--json FILE`: writes the count.
 */
// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildFixtures, client, readExpected, startFixture } from './conformance/fixtures.mjs';
import { judge, judgeTotals, matches } from './conformance/judge.mjs';
import { endAll } from './conformance/processes.mjs';
import {
  examineClient,
  examineServer,
  forgetResults,
  isInstalled,
  listScenarios,
  suites,
} from './conformance/suites.mjs';

const root = resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
/** @param {string} name */
const option = name => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const isWhole = args.includes('--all-selections');
const only = option('--only');
const onlyScenario = option('--scenario');

/**
 * `arguments` narrow the suite; `transport` is how the server is reached.
 * @typedef {{ suite: import('./conformance/suites.mjs').Suite, side: 'server' | 'client', name: string,
 *   arguments: readonly string[], transport: 'http' | 'stdio' }} Selection
 */

/** @returns {Selection[]} */
function selectionsOf() {
  return suites.flatMap(suite =>
    /** @type {const} */ (['server', 'client']).flatMap(side => {
      /** @param {string} name @param {readonly string[]} narrowing @param {'http' | 'stdio'} [transport] */
      const make = (name, narrowing, transport = 'http') => ({
        suite,
        side,
        name,
        arguments: narrowing,
        transport,
      });
      const all = side === 'server' ? ['--suite', 'all'] : [];
      if (!isWhole) return [make('all', all)];
      return [
        make('all', all),
        ...(side === 'server' ? suite.server.map(name => make(name, ['--suite', name])) : []),
        ...suite.revisions.map(revision => make(`all at ${revision}`, [...all, '--spec-version', revision])),
        ...suite.requirements.map(revision => make(`required for ${revision}`, ['--requirements', revision])),
        ...(side === 'server' ? [make('all over stdio', all, 'stdio')] : []),
      ];
    }),
  );
}

/** @param {Selection} selection @param {string} where @param {readonly import('./conformance/judge.mjs').Excuse[]} excuses */
async function examine(selection, where, excuses) {
  const { suite, side, transport } = selection;
  if (side === 'server') {
    const server = await startFixture(transport);
    try {
      return await examineServer(suite, server.url, selection.arguments);
    } finally {
      await server.stop();
    }
  }
  const listed = await listScenarios(suite, side, selection.arguments);
  // A list of requirements fixes the revision that its scenarios are run in.
  const narrowing = selection.arguments.map(each => (each === '--requirements' ? '--spec-version' : each));
  const reports = [];
  for (const scenario of new Set(listed)) {
    const isAsked = onlyScenario === undefined || matches(onlyScenario, scenario);
    const excuse = excuses.find(
      each => each.status === 'not run' && matches(each.scenario, scenario) && matches(each.where, where),
    );
    // One by one: started all at once they miss their deadlines on a small machine.
    if (isAsked && !excuse)
      reports.push(await examineClient(suite, `${process.execPath} ${client}`, scenario, narrowing));
  }
  return reports;
}

async function main() {
  const missing = suites.filter(suite => !isInstalled(suite));
  if (missing.length > 0) {
    const script = join(root, 'scripts', 'peers.mjs');
    const { status } = spawnSync(process.execPath, [script, 'conformance-0.2', 'conformance-0.1'], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('the suites could not be installed');
  }
  await buildFixtures();
  const expected = await readExpected(
    readFileSync(join(root, 'test', 'conformance', 'expected.yml'), 'utf8'),
  );
  /** @type {readonly import('./conformance/judge.mjs').Excuse[]} */
  const excuses = expected.excused;
  /** @type {Set<import('./conformance/judge.mjs').Excuse>} */
  const used = new Set();
  let passed = 0;
  let failed = 0;
  for (const selection of selectionsOf()) {
    const where = `${selection.suite.name} ${selection.side} ${selection.name}`;
    if (only !== undefined && !where.includes(only)) continue;
    const began = performance.now();
    const verdicts = (await examine(selection, where, excuses)).map(report =>
      judge(report, where, excuses, used),
    );
    const good = verdicts.filter(each => each.passed).length;
    const successes = verdicts.reduce((sum, each) => sum + each.successes, 0);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${where}: ${good}/${verdicts.length}, ${successes} successes (${seconds} s)`);
    for (const verdict of verdicts.filter(each => !each.passed)) {
      for (const fault of verdict.faults)
        console.log(`    ${verdict.scenario}: ${fault.replaceAll('\n', '\n      ')}`);
    }
    const faults = onlyScenario === undefined ? judgeTotals(verdicts, expected.totals?.[where]) : [];
    for (const fault of faults) console.log(`    ${where}: ${fault}`);
    passed += good;
    failed += verdicts.length - good + faults.length;
  }
  // What is excused and no longer happens must not stay excused.
  if (only === undefined && isWhole) {
    for (const excuse of excuses.filter(each => each.status !== 'not run' && !used.has(each))) {
      console.log(
        `    expected.yml: ${excuse.where} ${excuse.scenario} ${excuse.status} did not happen; take it out`,
      );
      failed += 1;
    }
  }
  console.log(`conformance: ${passed} passed, ${failed} failed`);
  const file = option('--json');
  if (file !== undefined) {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, JSON.stringify({ passed, failed }));
  }
  if (failed > 0 || passed === 0) process.exitCode = 1;
  else forgetResults();
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  endAll();
}
