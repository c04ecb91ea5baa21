/** Writes the table of `docs/architecture.md`: one row per source file, from the first sentence of each. */
// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTest } from './bundles.mjs';
import { readModules } from './modules.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'docs', 'architecture.md');

/** The layers from the bottom up, with what each is for. A folder that is missing here comes last. */
const layers = Object.entries({
  vendor: 'third-party code, bundled, loaded on first use',
  basics: 'what the platform lacks; knows neither MCP nor models',
  schema: 'JSON Schema in, verdict out',
  rpc: 'JSON-RPC 2.0, nothing of MCP',
  tools: 'what a tool is, for both towers',
  protocol: "MCP's nouns, without versions",
  channels: 'how messages travel; never what they mean',
  eras: 'the only place that knows revisions exist',
  extensions: 'negotiated additions to the protocol',
  client: 'the end that uses a server',
  server: 'the end that offers tools, prompts and resources',
  models: 'one verb: respond to a request with a stream of parts',
  agent: 'the loop of a model and its tools',
  patterns: 'from a model and a prompt to a result with its cost',
  bridge: 'the only code that knows both MCP and agents',
  adapters: 'tools in the shapes of other frameworks',
  otel: 'spans for OpenTelemetry',
  testing: 'doubles, and the suites that contracts come with',
  entries: 'one file per public subpath',
  cli: 'the command',
});

const start = '<!-- map:start, written by npm run map -->';
const end = '<!-- map:end -->';

/** The tables as Markdown. @param {ReadonlyMap<string, import('./modules.mjs').Module>} modules @returns {string} */
export function drawMap(modules) {
  const shipped = [...modules.values()].filter(({ path }) => !isTest(path));
  const folders = new Map(layers);
  for (const { path } of shipped) {
    const folder = /** @type {string} */ (path.split('/')[0]);
    if (!folders.has(folder)) folders.set(folder, '');
  }
  const sections = [];
  for (const [folder, purpose] of folders) {
    const rows = shipped.filter(({ path }) => path.startsWith(`${folder}/`));
    if (rows.length === 0) continue;
    const lines = rows.map(
      ({ path, lead }) => `| [${path.slice(folder.length + 1)}](../src/${path}) | ${cell(lead)} |`,
    );
    sections.push(
      [`### ${folder}: ${purpose}`, '', '| file | what is here |', '|---|---|', ...lines].join('\n'),
    );
  }
  return sections.join('\n\n');
}

/** @param {string} text */
const cell = text => text.replaceAll('|', '\\|');

/** The page with its tables replaced. Throws when the markers are gone. @param {string} text @param {string} map */
export function placeMap(text, map) {
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/architecture.md has lost ${start} or ${end}`);
  return `${before}${start}\n\n${map}\n\n${end}${after}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(page, placeMap(readFileSync(page, 'utf8'), drawMap(readModules(join(root, 'src')))));
}
