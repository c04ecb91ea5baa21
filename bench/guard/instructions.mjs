/**
 * Instructions of a stdio server's whole life, in which it lists its tools, beyond those of the floor's: counted by
 * valgrind, and the same however busy the machine is. They depend on the build of Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { initialize, initialized, print } from '../messages.mjs';
import { bundle } from '../sizes.mjs';
import { programOf } from '../subject.mjs';

const outdir = resolve(import.meta.dirname, '../../.cache/bench-guard');

export const hasValgrind = () => spawnSync('valgrind', ['--version']).status === 0;

export async function measureInstructions() {
  const installed = programOf('ours', 'bundled-server');
  const files = [programOf('floor', 'stdio-server'), installed, await writeBundle(installed)];
  const [floor, ...ours] = await Promise.all(files.map(countInstructions));
  const [asInstalled, bundled] = ours.map(instructions => instructions - floor);
  return {
    'instructions: stdio server lists its tools, installed': asInstalled,
    'instructions: stdio server lists its tools, bundled': bundled,
  };
}

async function writeBundle(entry) {
  const { outputFiles } = await bundle(entry, outdir);
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  return join(outdir, basename(entry).replace(/\.mjs$/, '.js'));
}

const era = 'handshake';
const lines = [print(era, 1, 'initialize', initialize), initialized, print(era, 2, 'tools/list')];

async function countInstructions(file) {
  const counting = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];
  const node = [process.execPath, '--single-threaded', '--hash-seed=7', file];
  // The environment lies on the stack of the process: one of its own keeps the count the same.
  const child = spawn('valgrind', [...counting, ...node], { env: { PATH: process.env.PATH } });
  let [said, told] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', part => {
    said += part;
  });
  child.stderr.setEncoding('utf8').on('data', part => {
    told += part;
  });
  child.stdin.end(`${lines.join('\n')}\n`);
  const [code] = await once(child, 'close');
  const [, counted] = /I +refs: +([\d,]+)/.exec(told) ?? [];
  if (code !== 0 || counted === undefined || !said.includes('"inputSchema"'))
    throw new Error(`${file} under valgrind ended with ${code}\n${said}${told}`);
  return Number(counted.replaceAll(',', ''));
}
