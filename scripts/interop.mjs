/**
 * Runs the whole cross matrix, keeps what came out in `test/interop/results.json`, and writes the tables of
 * `docs/interop.md` from it: `npm run interop`. With `--draw` only the tables are written.
 */
// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'docs', 'interop.md');
/** What the last whole run came to. */
export const recorded = join(root, 'test', 'interop', 'results.json');

const start = '<!-- interop:start, written by npm run interop -->';
const end = '<!-- interop:end -->';

/** @typedef {import('../test/interop/matrix/results.ts').Results} Results */
/** @typedef {import('../test/interop/matrix/results.ts').RecordedColumn} Column */

/** @param {readonly string[]} cells */
const row = cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
const table = (head, rows) => [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');

/** @type {Readonly<Record<string, string>>} */
const transports = {
  stdio: 'stdio',
  'http-json': 'JSON',
  'http-stream': 'stream',
  'http-sse': 'older transport',
};

/** The tables as Markdown. @param {Results} results @returns {string} */
export function drawInterop(results) {
  const faults = [
    ...new Set(results.columns.flatMap(({ cells }) => cells.flatMap(({ fault }) => fault ?? []))),
  ];
  const sides = [...new Set(results.columns.map(({ peer, peerIs }) => `${peer} ${peerIs}`))];
  return [
    ...sides.flatMap(side => drawSide(side, results, faults)),
    '### Programs that list and call',
    drawVisitors(results),
    '### Bridges between our client and our server',
    drawBridges(results),
    '### Faults of peers',
    ...faults.flatMap((fault, at) => drawFault(fault, at + 1, results)),
  ].join('\n\n');
}

/** @param {string} side @param {Results} results @param {readonly string[]} faults */
function drawSide(side, results, faults) {
  const columns = results.columns.filter(({ peer, peerIs }) => `${peer} ${peerIs}` === side);
  const [peer, is] = side.split(' ');
  const versions = results.versions[peer === '1.x' ? 'sdk-v1' : 'sdk-v2'] ?? {};
  const packages = Object.entries(versions)
    .filter(([name]) => name.startsWith('@modelcontextprotocol/'))
    .map(([name, version]) => `${name} ${version}`);
  const title = is === 'server' ? `Our client and the ${peer} server` : `The ${peer} client and our server`;
  const rows = results.behaviours.map(({ id, title }) => [
    title,
    ...columns.map(({ cells }) =>
      drawCell(
        cells.find(({ behaviour }) => behaviour === id),
        faults,
      ),
    ),
  ]);
  const head = columns.map(({ mode, flags, transport }) =>
    [mode, ...flags, transports[transport]].join(', '),
  );
  return [`### ${title}`, `${packages.join(', ')}.`, table(['', ...head], rows)];
}

/** @param {Column['cells'][number] | undefined} cell @param {readonly string[]} faults */
function drawCell(cell, faults) {
  if (cell === undefined) return '?';
  if (cell.result === 'passed') return '✓';
  if (cell.result === 'absent') return '–';
  return cell.fault ? `fault ${faults.indexOf(cell.fault) + 1}` : 'failed';
}

/** @param {Results} results */
function drawVisitors({ visitors, versions }) {
  const kinds = [...new Map(visitors.map(each => [`${each.id} ${each.mode}`, each])).values()];
  const rows = kinds.map(({ id, mode, peer }) => {
    /** @param {string} transport */
    const by = transport =>
      visitors.find(each => each.id === id && each.mode === mode && each.transport === transport);
    return [
      id,
      mode,
      Object.entries(versions[peer] ?? {})
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
      by('stdio') ? '✓' : 'failed',
      by('http') ? `✓ ${by('http')?.revision}` : 'failed',
    ];
  });
  return table(['program', 'mode', 'package', 'stdio', 'HTTP, and the revision spoken'], rows);
}

/** @param {Results} results */
function drawBridges({ bridges, versions }) {
  const rows = bridges.map(({ id, mode, peer, from, to, protocol, revision }) => [
    `${id} ${versions[peer]?.[id] ?? ''}`,
    mode,
    `${from} to ${to}`,
    protocol,
    `✓ ${revision}`,
  ]);
  return table(['bridge', 'mode', 'from our client to our server', 'asked for', 'list and call'], rows);
}

/** @param {string} id @param {number} number @param {Results} results */
function drawFault(id, number, results) {
  const places = results.columns.flatMap(({ id: column, cells }) =>
    cells.filter(({ fault }) => fault === id).map(cell => ({ column, ...cell })),
  );
  const [first] = places;
  const where = places.map(({ column, behaviour }) => `- ${column}: ${behaviour}`).join('\n');
  const shown = `In full, for the first of these (${first?.behaviour}):`;
  const exchange = ['```text', ...(first?.exchange ?? []), '```'].join('\n');
  return [`#### Fault ${number}: ${id}`, results.faults[id] ?? '', where, shown, exchange];
}

/** The page with its tables replaced. Throws when the markers are gone. @param {string} text @param {string} tables */
export function placeInterop(text, tables) {
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/interop.md has lost ${start} or ${end}`);
  return `${before}${start}\n\n${tables}\n\n${end}${after}`;
}

/** @param {string} command @param {readonly string[]} args */
function run(command, args) {
  const env = { ...process.env, TENON_INTEROP_RESULTS: recorded };
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--draw')) {
    run(process.execPath, ['scripts/peers.mjs', '--all']);
    run('npx', [
      '--no-install',
      'vitest',
      'run',
      '--config',
      'vitest.long.config.ts',
      'test/long/interop.test.ts',
    ]);
    run('npx', ['--no-install', 'biome', 'format', '--write', recorded]);
  }
  writeFileSync(
    page,
    placeInterop(readFileSync(page, 'utf8'), drawInterop(JSON.parse(readFileSync(recorded, 'utf8')))),
  );
}
