/**
 * Installs the published peers that tests run against: `node scripts/peers.mjs [name…]`, by default those of test/peers
 * that every change is tried against; `--all` takes those of the long tier too, whose package.json says `longTier`.
 * Each has its own package.json and lock; what is installed already from the same lock is left alone.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../test/peers/', import.meta.url));

const known = readdirSync(home)
  .filter(name => existsSync(join(home, name, 'package-lock.json')))
  .sort();
const isLongTier = name =>
  JSON.parse(readFileSync(join(home, name, 'package.json'), 'utf8')).longTier === true;
const isWhole = process.argv.includes('--all');
const asked = process.argv.slice(2).filter(argument => argument !== '--all');
const usual = known.filter(name => isWhole || !isLongTier(name));
const unknown = asked.filter(name => !known.includes(name));
if (unknown.length > 0) {
  console.error(`peers: there is no ${unknown.join(', ')} in test/peers; there are ${known.join(', ')}`);
  process.exit(2);
}

/** The lock decides, and the runtime: some packages install differently on another Node or machine. */
function fingerprint(folder) {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

async function install(name) {
  const folder = join(home, name);
  const marker = join(folder, 'node_modules', '.installed-from');
  const wanted = fingerprint(folder);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) {
    console.log(`peers: ${name} is current`);
    return true;
  }
  const began = performance.now();
  const { end, said } = await run(folder);
  if (end !== 0) {
    console.error(`peers: ${name} could not be installed: npm ci ${end}\n${said.trim()}`);
    return false;
  }
  writeFileSync(marker, wanted);
  console.log(`peers: ${name} installed in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return true;
}

/** Gives 0 for `end`, or how it failed. */
function run(folder) {
  return new Promise(resolve => {
    const child = spawn('npm', ['ci', '--no-progress', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        said += text;
      });
    }
    child.on('error', ({ message }) => resolve({ end: message, said }));
    child.on('close', (code, signal) =>
      resolve({ end: code === 0 ? 0 : `ended with ${code ?? signal}`, said }),
    );
  });
}

/** Two at a time: one waits for the registry while another unpacks. */
const waiting = asked.length > 0 ? [...new Set(asked)] : usual;
const failed = [];
async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (!(await install(name))) failed.push(name);
  }
}
await Promise.all([work(), work()]);
if (failed.length > 0) {
  console.error(`peers: failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
