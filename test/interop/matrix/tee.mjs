/** Passes stdin and stdout of a program on and keeps both: `node tee.mjs <log> <command> <argument…>`. */
import { spawn } from 'node:child_process';
import { openSync, writeSync } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
// Kept open: the file may be read and gone before the program has ended.
const log = openSync(file, 'a');
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function pass(from, to, arrow) {
  let rest = '';
  from.on('data', chunk => {
    to.write(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) writeSync(log, `${arrow} ${line}\n`);
  });
  from.on('end', () => to.end());
}
child.stdin.on('error', () => {});
pass(process.stdin, child.stdin, 'client:');
pass(child.stdout, process.stdout, 'server:');
process.on('SIGTERM', () => child.kill());
child.on('close', code => process.exit(code ?? 1));
