/**
 * Writes the third-party code under src/vendor/, one file for each recipe in scripts/vendor/.
 *
 * Does nothing for a file that is there and whose inputs are not newer. Fails when a text that a patch replaces is gone,
 * when a bundle would import or evaluate code, or when THIRD_PARTY.md names another version or licence text.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { typebox } from './vendor/json-schema.mjs';
import { yaml } from './vendor/yaml.mjs';

/**
 * How one package becomes one file. `licence` and the folders are paths within the package; `modules` are ours, by the
 * name they are imported by; `replaced` are modules by path from `root`; `patched` are texts within them.
 * @typedef {{
 *   name: string, licence: string, target: string,
 *   entry: { contents: string, folder: string },
 *   patches?: {
 *     root: string, modules: Record<string, string>, replaced: Record<string, string>,
 *     patched: (string | number)[][],
 *   },
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
  const how = recipe.patches ? 'patched and bundled' : 'bundled';
  const header = `// ${name} ${version}, ${how} by scripts/vendor.mjs (${stamp}); do not edit.`;
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
async function bundle({ entry, patches }, source) {
  const { build } = await import('esbuild');
  const patcher = patches && patching(patches, source);
  const result = await build({
    stdin: { contents: entry.contents, resolveDir: join(source, entry.folder), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    treeShaking: true,
    legalComments: 'none',
    plugins: patcher ? [patcher.plugin] : [],
    logLevel: 'error',
  });
  patcher?.checkUsed();
  const code = result.outputFiles[0].text;
  const forbidden =
    /^\s*import\b|\bimport\s*\(|\brequire\s*\(|\bFunction\s*\(|\beval\s*\(|\bfetch\s*\(/m.exec(code);
  if (forbidden) fail(`the bundle must not hold ${JSON.stringify(forbidden[0])}`);
  return code;
}

/** An esbuild plugin that applies the patches, and a check that every one of them was. */
function patching({ root, modules, replaced, patched }, source) {
  const seen = new Set();
  const namespace = 'ours';
  const plugin = {
    name: 'patch',
    setup(builder) {
      const ours = new RegExp(`^(${Object.keys(modules).join('|')})$`);
      builder.onResolve({ filter: ours }, ({ path }) => ({ path, namespace }));
      builder.onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: modules[path], loader: 'js' }));
      builder.onLoad({ filter: /\.mjs$/ }, ({ path }) => {
        const name = relative(join(source, root), path).split(sep).join('/');
        let contents = replaced[name];
        if (contents !== undefined) seen.add(name);
        else contents = readFileSync(path, 'utf8');
        for (const change of patched.filter(([module]) => module === name)) {
          const [, text, replacement, times] = change;
          const found = contents.split(text).length - 1;
          if (found !== times) fail(`${name}: expected ${times} x ${JSON.stringify(text)}, found ${found}`);
          contents = contents.replaceAll(text, () => replacement);
          seen.add(change);
        }
        return { contents, loader: 'js' };
      });
    },
  };
  const checkUsed = () => {
    for (const part of [...Object.keys(replaced), ...patched]) {
      if (!seen.has(part)) fail(`a patched module is gone: ${Array.isArray(part) ? part[0] : part}`);
    }
  };
  return { plugin, checkUsed };
}

for (const recipe of [typebox, yaml]) await vendor(recipe);
