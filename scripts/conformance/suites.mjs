/** The pinned suites: where they are, what they offer, and how one selection of theirs is run and read. */
// @ts-check
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './processes.mjs';

const root = resolve(import.meta.dirname, '..', '..');
/** Of this run alone, so that two at once do not disturb each other. */
const results = join(root, '.cache', 'conformance', `results-${process.pid}`);

/**
 * `server`: the named suites of its server side. `revisions`: those that a selection can be narrowed to. `requirements`: those with a list
 * of what is required.
 * @typedef {{ name: string, folder: string, server: readonly string[],
 *   revisions: readonly string[], requirements: readonly string[] }} Suite
 */

/** @type {readonly Suite[]} */
export const suites = [
  {
    name: '0.2.0-alpha.12',
    folder: join(root, 'test', 'peers', 'conformance-0.2'),
    server: ['active', 'draft', 'pending'],
    revisions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
    requirements: ['2025-11-25', '2026-07-28'],
  },
  {
    name: '0.1.16',
    folder: join(root, 'test', 'peers', 'conformance-0.1'),
    server: ['active', 'core', 'pending'],
    revisions: ['2025-06-18', '2025-11-25'],
    requirements: [],
  },
];

/** The suite needs a newer Node than the programs under test, so it is started by a path of its own. @param {Suite} suite */
function commandOf({ folder }) {
  const script = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  return { node: join(folder, 'node_modules', 'node', 'bin', 'node'), script };
}

/** @param {Suite} suite */
export function isInstalled(suite) {
  const { node, script } = commandOf(suite);
  return existsSync(node) && existsSync(script);
}

/** @param {Suite} suite @param {readonly string[]} args @param {number} limit */
function runSuite(suite, args, limit) {
  const { node, script } = commandOf(suite);
  return run(node, [script, ...args], limit);
}

/**
 * The scenarios of one side that the suite lists for a revision, for a list of requirements, or at all.
 * @param {Suite} suite @param {'server' | 'client'} side @param {readonly string[]} narrowing
 */
export async function listScenarios(suite, side, narrowing) {
  const { code, output } = await runSuite(suite, ['list', `--${side}`, ...narrowing], 30_000);
  if (code !== 0) throw new Error(`${suite.name} list ${side}: ended with ${code}\n${output}`);
  // With requirements both sides are listed, one under the other, and then what is never scored.
  const heading = side === 'server' ? 'Server scenarios' : 'Client scenarios';
  const section = output.split(/\n(?=\S)/).find(part => part.startsWith(heading)) ?? output;
  return [...section.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
}

/** The reports in a folder of results, by scenario. @param {string} folder @returns {Map<string, import('./judge.mjs').Check[]>} */
function readReports(folder) {
  const reports = new Map();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const found = /^(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z[/\\]checks\.json$/.exec(path);
    if (found)
      reports.set(found[1]?.replaceAll('\\', '/'), JSON.parse(readFileSync(join(folder, path), 'utf8')));
  }
  return reports;
}

/** Forgets what the suite wrote; it is kept for a look when something was wrong. */
export function forgetResults() {
  rmSync(results, { recursive: true, force: true });
}

function freshFolder() {
  mkdirSync(results, { recursive: true });
  return mkdtempSync(join(results, 'run-'));
}

/**
 * Runs a selection against a server that listens at `url`.
 * @param {Suite} suite @param {string} url @param {readonly string[]} selection arguments of the suite
 * @returns {Promise<import('./judge.mjs').Report[]>}
 */
export async function examineServer(suite, url, selection) {
  const folder = freshFolder();
  const { output, isLate } = await runSuite(
    suite,
    ['server', '--url', url, ...selection, '-o', folder],
    180_000,
  );
  const reports = readReports(folder);
  // The summary names every scenario that ran, also one that threw and left no report.
  const names = [...output.matchAll(/^[✓✗] (\S+): \d+ passed/gm)].map(([, name = '']) => name);
  if (names.length === 0 || isLate) {
    const fault = `the suite ${isLate ? 'did not end' : 'gave no summary'}\n${output.slice(-2_000)}`;
    return [{ scenario: '(the suite)', fault }];
  }
  return [...new Set(names)].map(scenario => {
    const checks = reports.get(`server-${scenario}`);
    return checks ? { scenario, checks } : { scenario, fault: `no report: ${aboutOf(output, scenario)}` };
  });
}

/**
 * Runs one scenario against the client that `command` starts. The suite would wait for what a client leaves behind, so
 * the command replaces the shell.
 * @param {Suite} suite @param {string} command @param {string} scenario @param {readonly string[]} narrowing
 * @returns {Promise<import('./judge.mjs').Report>}
 */
export async function examineClient(suite, command, scenario, narrowing) {
  const folder = freshFolder();
  const args = ['client', '--command', `exec ${command}`, '--scenario', scenario, ...narrowing, '-o', folder];
  const { code, output, isLate } = await runSuite(suite, args, 60_000);
  const checks = readReports(folder).get(scenario);
  if (isLate) return { scenario, fault: 'did not end within 60 s' };
  if (!checks) return { scenario, fault: `no report: ${output.slice(-2_000)}` };
  const isFailed = checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING');
  // The exit code also tells of a client that failed although every check went well.
  return code === 0 || isFailed
    ? { scenario, checks }
    : { scenario, checks, fault: `the suite ended with ${code}: ${output.slice(-1_000)}` };
}

/** @param {string} output @param {string} scenario */
function aboutOf(output, scenario) {
  const lines = output.split('\n').filter(line => line.includes(scenario) || /error/i.test(line));
  return lines.join('\n').slice(0, 1_000);
}
