/** Stands between a client and a server and records both directions: `node tee.mjs <log> <command> <args…>`. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [log, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const note = (who, text) => appendFileSync(log, `${process.pid} ${who} ${JSON.stringify(text)}\n`);
note('start', args.join(' '));
process.stdin.on('data', chunk => {
  note('client', chunk.toString('utf8'));
  child.stdin.write(chunk);
});
process.stdin.on('end', () => {
  note('client', '<end>');
  child.stdin.end();
});
child.stdin.on('error', () => {});
child.stdout.on('data', chunk => {
  note('server', chunk.toString('utf8'));
  process.stdout.write(chunk);
});
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    note('client', `<${signal}>`);
    child.kill(signal);
  });
}
child.on('exit', (code, signal) => {
  note('server', `<exit ${code ?? signal}>`);
  process.exit(code ?? 1);
});
