/**
 * Runs the official JSON-Schema-Test-Suite through `compileSchema`: pass counts per draft, each miss, refusals.
 *
 * `node test/json-schema-suite/run.mjs [folder of the suite]`; prints a report, and with `--json` one line of JSON.
 * It starts itself again with code generation from strings disallowed, on a fresh bundle of src/schema.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const drafts = ['draft2020-12', 'draft2019-09', 'draft7'];
const served = 'http://localhost:1234/';

const options = process.argv.slice(2).filter(each => each.startsWith('--'));
const [suite = resolve(project, '../shared/json-schema-suite'), bundle] = process.argv
  .slice(2)
  .filter(each => !each.startsWith('--'));

if (!existsSync(suite)) {
  console.log(`skipped: no JSON-Schema-Test-Suite in ${suite}`);
} else if (bundle === undefined) {
  await bundleAndRun();
} else {
  await run(await import(pathToFileURL(bundle).href));
}

async function bundleAndRun() {
  execFileSync(process.execPath, [join(project, 'scripts', 'vendor.mjs')], { stdio: 'inherit' });
  const { build } = await import('esbuild');
  const folder = mkdtempSync(join(tmpdir(), 'tenon-json-schema-'));
  try {
    await build({
      entryPoints: [join(project, 'src', 'schema', 'compile.ts')],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      logLevel: 'error',
    });
    const self = fileURLToPath(import.meta.url);
    const nodeOptions = ['--disallow-code-generation-from-strings', self];
    const output = execFileSync(
      process.execPath,
      [...nodeOptions, suite, join(folder, 'compile.mjs'), ...options],
      { encoding: 'utf8', maxBuffer: 64 << 20 },
    );
    process.stdout.write(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run({ compileSchema }) {
  const remotes = await readRemotes();
  const report = { codeGeneration: canGenerateCode(), supplied: [], without: [] };
  for (const draft of drafts) {
    report.supplied.push(await runDraft(compileSchema, draft, remotes));
    report.without.push(await runDraft(compileSchema, draft, {}));
  }
  if (options.includes('--json')) console.log(JSON.stringify(report));
  else print(report);
}

async function runDraft(compileSchema, draft, remotes) {
  const result = { draft, total: 0, passed: 0, refused: 0, withheld: 0, misses: [] };
  for (const file of readdirSync(join(suite, draft)).sort()) {
    for (const group of JSON.parse(readFileSync(join(suite, draft, file), 'utf8'))) {
      let compiled;
      let refusal;
      try {
        compiled = compileSchema(group.schema, { remotes });
      } catch (error) {
        refusal = error;
      }
      for (const test of group.tests) {
        result.total++;
        if (refusal !== undefined) {
          result.refused++;
          if (refusal.name === 'SchemaError' && /leads outside this schema/.test(refusal.message))
            result.withheld++;
          else result.misses.push(miss(file, group, test, `refused: ${refusal.message}`));
          continue;
        }
        const { ok } = await compiled.validate(test.data);
        if (ok === test.valid) result.passed++;
        else result.misses.push(miss(file, group, test, ok ? 'accepted' : 'not accepted'));
      }
    }
  }
  return result;
}

function miss(file, group, test, how) {
  return `${file}: ${group.description}: ${test.description}: ${how}`;
}

/** The suite's own remotes, and the official meta-schemas as a development dependency carries them. */
async function readRemotes() {
  const remotes = {};
  const folder = join(suite, 'remotes');
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!file.endsWith('.json')) continue;
    const name = file.replaceAll('\\', '/');
    remotes[`${served}${name}`] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  }
  const meta = join(project, 'node_modules', 'typebox', 'build', 'schema', 'meta', 'index.mjs');
  const { Meta } = await import(pathToFileURL(meta).href);
  return { ...remotes, ...Meta };
}

function canGenerateCode() {
  try {
    return Function('return true')();
  } catch {
    return false;
  }
}

function print({ codeGeneration, supplied, without }) {
  console.log(`code generation from strings: ${codeGeneration ? 'allowed' : 'disallowed'}`);
  console.log('\nwith the remotes and the meta-schemas supplied:');
  for (const { draft, total, passed, refused, misses } of supplied) {
    const share = ((passed / total) * 100).toFixed(2);
    console.log(`  ${draft}: ${passed} of ${total} passed (${share} %), ${refused} refused`);
    for (const each of misses) console.log(`    miss: ${each}`);
  }
  console.log('\nwithout them:');
  for (const { draft, total, passed, withheld, misses } of without) {
    console.log(
      `  ${draft}: ${passed} of ${total - withheld} passed, ${withheld} refused for want of a remote`,
    );
    for (const each of misses) console.log(`    miss: ${each}`);
  }
}
