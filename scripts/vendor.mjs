/**
 * Writes src/vendor/json-schema-checker.js: the JSON Schema engine of typebox (Check and Errors), patched and bundled.
 *
 * Does nothing when the file is there and newer inputs are not. Fails when a text that a patch replaces is gone, when the
 * bundle would import or evaluate code, or when THIRD_PARTY.md names another version or licence text.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(project, 'node_modules', 'typebox');
const target = join(project, 'src', 'vendor', 'json-schema-checker.js');
const notices = join(project, 'THIRD_PARTY.md');

/** What the bundle exports. The same steps as typebox's Check and Errors, without its argument matching and locales. */
const entry = `
import { allow, WorkLimitError } from 'work-limit';
import { Stack } from './engine/_stack.mjs';
import { CheckContext, ErrorContext } from './engine/_context.mjs';
import { CheckSchema, ErrorSchema } from './engine/schema.mjs';
export { WorkLimitError };
export function check(remotes, schema, value, work) {
  allow(work);
  return CheckSchema(Stack(remotes, schema), new CheckContext(), schema, value);
}
export function errors(remotes, schema, value, work) {
  allow(work);
  const context = new ErrorContext();
  ErrorSchema(Stack(remotes, schema), context, '#', '', schema, value);
  return context.GetErrors();
}
`;

/** Counts evaluated subschemas, so that a recursive schema cannot run for ever on a small value. */
const workLimit = `
export class WorkLimitError extends Error {}
let left = 0;
export function allow(work) { left = work; }
export function spend() { if (--left < 0) throw new WorkLimitError('too many subschemas evaluated'); }
`;

/** Modules replaced whole. */
const replaced = {
  // An annotation since 2019-09, and never asserted by default before.
  'schema/engine/format.mjs': `
    export const CheckFormat = () => true; export const ErrorFormat = () => true; export const BuildFormat = () => {};`,
  // Code inside schemas; a schema that came as JSON has none.
  'schema/engine/_refine.mjs': `
    export const CheckRefine = () => true; export const ErrorRefine = () => true; export const BuildRefine = () => {};`,
  // Patterns that are legal only without the unicode flag are common in the wild; compiled ones are kept.
  'schema/engine/_regexp.mjs': `
    const compiled = new Map();
    function compile(pattern) { try { return new RegExp(pattern, 'u'); } catch { return new RegExp(pattern); } }
    export function UnicodeRegExp(pattern) {
      let regexp = compiled.get(pattern);
      if (regexp === undefined) {
        if (compiled.size >= 1000) compiled.clear();
        compiled.set(pattern, (regexp = compile(pattern)));
      }
      return regexp;
    }`,
};

/** Texts replaced inside a module: [module, text, replacement, how often the text must occur]. */
const patched = [
  // Names such as "toString" must not be found on the prototype.
  [
    'guard/guard.mjs',
    'return IsUnsafePropertyKey(key) ? Object.prototype.hasOwnProperty.call(value, key) : key in value;',
    'return Object.prototype.hasOwnProperty.call(value, key);',
    1,
  ],
  [
    'schema/engine/_exact_optional.mjs',
    'return G.IsUndefined(value[key]);',
    'return !G.HasPropertyKey(value, key) || G.IsUndefined(value[key]);',
    1,
  ],
  // A definition may be named "constructor".
  [
    'schema/pointer/pointer.mjs',
    'if (!Guard.IsObject(current) || Guard.IsUnsafePropertyKey(index))\n            return undefined;',
    'if (!Guard.IsObject(current) || !Guard.HasPropertyKey(current, index))\n            return undefined;',
    1,
  ],
  // One expression joined of all names and patterns breaks on patterns with groups, and is slow.
  [
    'schema/engine/additionalProperties.mjs',
    'const regexp = UnicodeRegExp(GetPropertiesPattern(schema));',
    `const patterns = Schema.IsPatternProperties(schema) ? G.Keys(schema.patternProperties).map(UnicodeRegExp) : [];
    const regexp = { test: key => (Schema.IsProperties(schema) && G.HasPropertyKey(schema.properties, key)) || patterns.some(pattern => pattern.test(key)) };`,
    2,
  ],
  [
    'schema/engine/schema.mjs',
    'export function CheckSchema(stack, context, schema, value) {',
    "import { spend } from 'work-limit';\nexport function CheckSchema(stack, context, schema, value) {\n    spend();",
    1,
  ],
  [
    'schema/engine/schema.mjs',
    'export function ErrorSchema(stack, context, schemaPath, instancePath, schema, value) {',
    'export function ErrorSchema(stack, context, schemaPath, instancePath, schema, value) {\n    spend();',
    1,
  ],
  // Arrays have no properties to evaluate.
  [
    'schema/engine/schema.mjs',
    '(!G.IsObject(value) || CheckUnevaluatedProperties',
    '(!G.IsObjectNotArray(value) || CheckUnevaluatedProperties',
    1,
  ],
  [
    'schema/engine/schema.mjs',
    '(!G.IsObject(value) || ErrorUnevaluatedProperties',
    '(!G.IsObjectNotArray(value) || ErrorUnevaluatedProperties',
    1,
  ],
  // Reasons found in "then" were lost.
  [
    'schema/engine/if.mjs',
    'ErrorSchema(stack, trueContext, `${schemaPath}/then`',
    'ErrorSchema(stack, context, `${schemaPath}/then`',
    1,
  ],
  // Quadratic in the number of duplicates.
  [
    'schema/engine/uniqueItems.mjs',
    'return [...result, index];',
    '{ if (result.length < 8) result.push(index); return result; }',
    1,
  ],
  ['system/settings/settings.mjs', 'maxErrors: 8,', 'maxErrors: 64,', 1],
];

function fail(message) {
  throw new Error(`vendor: ${message}`);
}

function read(path) {
  if (!existsSync(path)) fail(`${relative(project, path)} is missing; run "npm ci" first`);
  return readFileSync(path, 'utf8');
}

const { version } = JSON.parse(read(join(source, 'package.json')));
const licence = read(join(source, 'license')).trim().replaceAll('\r\n', '\n');
const stamp = createHash('sha256')
  .update(read(fileURLToPath(import.meta.url)))
  .update(version)
  .digest('hex')
  .slice(0, 16);
const header = `// typebox ${version}, patched and bundled by scripts/vendor.mjs (${stamp}); do not edit.`;

const named = read(notices);
if (!named.includes(`typebox ${version}`)) fail(`THIRD_PARTY.md does not name "typebox ${version}"`);
if (!named.includes(licence)) fail(`THIRD_PARTY.md does not hold the licence text of typebox ${version}`);

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(header)) {
  const { build } = await import('esbuild');
  const seen = new Map();
  const patch = {
    name: 'patch',
    setup(builder) {
      builder.onResolve({ filter: /^work-limit$/ }, () => ({ path: 'work-limit', namespace: 'ours' }));
      builder.onLoad({ filter: /./, namespace: 'ours' }, () => ({ contents: workLimit, loader: 'js' }));
      builder.onLoad({ filter: /\.mjs$/ }, ({ path }) => {
        const name = relative(join(source, 'build'), path).split(sep).join('/');
        let contents = replaced[name];
        if (contents !== undefined) seen.set(name, true);
        else contents = readFileSync(path, 'utf8');
        for (const change of patched.filter(([module]) => module === name)) {
          const [, text, replacement, times] = change;
          const found = contents.split(text).length - 1;
          if (found !== times) fail(`${name}: expected ${times} x ${JSON.stringify(text)}, found ${found}`);
          contents = contents.replaceAll(text, () => replacement);
          seen.set(change, true);
        }
        return { contents, loader: 'js' };
      });
    },
  };
  const result = await build({
    stdin: { contents: entry, resolveDir: join(source, 'build', 'schema'), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    treeShaking: true,
    legalComments: 'none',
    plugins: [patch],
    logLevel: 'error',
  });
  for (const part of [...Object.keys(replaced), ...patched]) {
    if (!seen.has(part)) fail(`a patched module is gone: ${Array.isArray(part) ? part[0] : part}`);
  }
  const code = result.outputFiles[0].text;
  const forbidden =
    /^\s*import\b|\bimport\s*\(|\brequire\s*\(|\bFunction\s*\(|\beval\s*\(|\bfetch\s*\(/m.exec(code);
  if (forbidden) fail(`the bundle must not hold ${JSON.stringify(forbidden[0])}`);
  const notice = licence.replace(/^/gm, '// ').replace(/ +$/gm, '');
  // Renamed into place: a test run beside this one never reads half a file.
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, `${header}\n${notice}\n${code}`);
  renameSync(draft, target);
  console.log(`vendor: wrote ${relative(project, target)} (${Math.round(code.length / 1024)} KB)`);
}
