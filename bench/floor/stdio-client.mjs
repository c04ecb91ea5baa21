/** The floor's client on stdio: a map of ids, nothing else. */
import { spawn } from 'node:child_process';
import { asked, measureCalls } from '../client-run.mjs';
import { initialize, initialized, print, printEcho } from '../messages.mjs';
import { readLines } from './lines.mjs';

const { server, era } = asked;
const child = spawn(process.execPath, [server], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map();
let lastId = 0;
readLines(child.stdout, lines => {
  for (const line of lines) {
    const message = JSON.parse(line);
    waiting.get(message.id)(message);
    waiting.delete(message.id);
  }
});

let out = '';
const flush = () => {
  child.stdin.write(out);
  out = '';
};
const send = line => {
  if (out === '') process.nextTick(flush);
  out += `${line}\n`;
};
const ask = line =>
  new Promise(resolve => {
    waiting.set(lastId, resolve);
    send(line);
  });

if (era === 'handshake') {
  await ask(print(era, ++lastId, 'initialize', initialize));
  send(initialized);
}
await measureCalls(async () => (await ask(printEcho(era, ++lastId))).result.content[0].text, asked);
child.stdin.end();
