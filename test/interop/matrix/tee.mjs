/** Passes stdin and stdout of a program on and keeps both: `node tee.mjs <log> <command> <argument…>`. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function pass(from, to, arrow) {
  let rest = '';
  from.on('data', chunk => {
    to.write(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) appendFileSync(log, `${arrow} ${line}\n`);
  });
  from.on('end', () => to.end());
}
child.stdin.on('error', () => {});
pass(process.stdin, child.stdin, 'client:');
pass(child.stdout, process.stdout, 'server:');
process.on('SIGTERM', () => child.kill());
child.on('close', code => process.exit(code ?? 1));
