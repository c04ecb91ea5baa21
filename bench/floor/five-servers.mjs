/** The floor's client, started with several servers. */
import { spawn } from 'node:child_process';
import { asked } from '../client-run.mjs';
import { initialize, initialized, print } from '../messages.mjs';
import { measureStart } from '../started.mjs';

await measureStart(
  () =>
    new Promise(resolve => {
      const child = spawn(process.execPath, [asked.server], { stdio: ['pipe', 'pipe', 'inherit'] });
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', chunk => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          const { id, result } = JSON.parse(line);
          if (id === 1) {
            child.stdin.write(`${initialized}\n${print('handshake', 2, 'tools/list')}\n`);
            continue;
          }
          child.stdin.end();
          resolve(result.tools.length);
        }
      });
      child.stdin.write(`${print('handshake', 1, 'initialize', initialize)}\n`);
    }),
  asked,
);
