/**
 * Writes the third-party code under src/vendor/, one file for each recipe in scripts/vendor/.
 *
 * Does nothing for a file that is there and whose inputs are not newer. Fails when a bundle would import or evaluate code,
 * or when THIRD_PARTY.md names another version or licence text.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { yaml } from './vendor/yaml.mjs';

/**
 * How one package becomes one file. `licence` and the folder are paths within the package.
 * @typedef {{
 *   name: string, licence: string, target: string,
 *   entry: { contents: string, folder: string },
 * }} Recipe
 */

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const notices = join(project, 'THIRD_PARTY.md');

function fail(message) {
  throw new Error(`vendor: ${message}`);
}

function read(path) {
  if (!existsSync(path)) fail(`${relative(project, path)} is missing; run "npm ci" first`);
  return readFileSync(path, 'utf8');
}

/** Brings the file of one recipe up to date. @param {Recipe} recipe */
async function vendor(recipe) {
  const { name } = recipe;
  const source = join(project, 'node_modules', name);
  const target = join(project, 'src', 'vendor', recipe.target);
  const { version } = JSON.parse(read(join(source, 'package.json')));
  const licence = read(join(source, recipe.licence)).trim().replaceAll('\r\n', '\n');
  const named = read(notices);
  if (!named.includes(`${name} ${version}`)) fail(`THIRD_PARTY.md does not name "${name} ${version}"`);
  if (!named.includes(licence)) fail(`THIRD_PARTY.md does not hold the licence text of ${name} ${version}`);

  const stamp = createHash('sha256')
    .update(read(fileURLToPath(import.meta.url)))
    .update(JSON.stringify(recipe))
    .update(version)
    .digest('hex')
    .slice(0, 16);
  const header = `// ${name} ${version}, bundled by scripts/vendor.mjs (${stamp}); do not edit.`;
  if (existsSync(target) && readFileSync(target, 'utf8').startsWith(header)) return;

  const code = await bundle(recipe, source);
  const notice = licence.replace(/^/gm, '// ').replace(/ +$/gm, '');
  // Renamed into place: a test run beside this one never reads half a file.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, `${header}\n${notice}\n${code}`);
  renameSync(draft, target);
  console.log(`vendor: wrote ${relative(project, target)} (${Math.round(code.length / 1024)} KB)`);
}

/** @param {Recipe} recipe @param {string} source */
async function bundle({ entry }, source) {
  const { build } = await import('esbuild');
  const result = await build({
    stdin: { contents: entry.contents, resolveDir: join(source, entry.folder), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    treeShaking: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  const code = result.outputFiles[0].text;
  const forbidden =
    /^\s*import\b|\bimport\s*\(|\brequire\s*\(|\bFunction\s*\(|\beval\s*\(|\bfetch\s*\(/m.exec(code);
  if (forbidden) fail(`the bundle must not hold ${JSON.stringify(forbidden[0])}`);
  return code;
}

await vendor(yaml);
