/** Runs every program in `examples/`, offline and under a limit of time, and reports each. `--json FILE` writes the count. */
// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, translate } from './example.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const limit = 60_000;

/** Whatever a machine has configured must not reach an example: it would leave the offline path. */
const offline = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(TENON_|OPENAI_|ANTHROPIC_|GEMINI_|GOOGLE_)/.test(name)),
);

/** @param {string} program @returns {Promise<{ fault: string | undefined, output: string }>} */
function runProgram(program) {
  return new Promise(done => {
    const child = spawn(process.execPath, [program], {
      cwd: root,
      env: offline,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', chunk => {
        output += chunk;
      });
    }
    const stopAll = () => {
      try {
        if (child.pid !== undefined)
          process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // The group is gone already.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      stopAll();
    }, limit);
    child.once('error', error => {
      clearTimeout(timer);
      done({ fault: String(error), output });
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      stopAll();
      if (isLate) done({ fault: `did not end within ${limit / 1000} s`, output });
      else if (code !== 0) done({ fault: `ended with ${signal ?? `exit code ${code}`}`, output });
      else done({ fault: output.trim() === '' ? 'printed nothing' : undefined, output });
    });
  });
}

ensureBuilt();
const folder = join(root, 'examples');
const only = process.argv.slice(2).filter(argument => argument.endsWith('.ts'));
const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.ts')) : [];
let passed = 0;
let failed = 0;
for (const name of only.length > 0 ? only.map(path => path.replace(/^examples\//, '')) : files) {
  const started = Date.now();
  const { fault, output } = await runProgram(await translate(join(folder, name)));
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (fault === undefined) {
    passed += 1;
    console.log(`  ok    examples/${name} (${seconds} s)`);
  } else {
    failed += 1;
    console.log(`  FAIL  examples/${name}: ${fault}\n${output.replace(/^/gm, '        ')}`);
  }
}
console.log(`examples: ${passed} passed, ${failed} failed`);
const report = process.argv.indexOf('--json');
if (report > 0) {
  const file = resolve(String(process.argv[report + 1]));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ passed, failed }));
}
if (failed > 0) process.exitCode = 1;
