import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const server = `
  import { Server, tool } from 'tenon/server';
  import { serveStdio } from 'tenon/stdio';
  const input = { type: 'object', properties: { text: { type: 'string' } } };
  const echo = tool({ name: 'echo', description: 'Says it again.', input, run: ({ text }) => text });
  serveStdio(new Server({ name: 'small', version: '1.0.0', tools: [echo] }));
`;
const params = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'asker', version: '1.0.0' },
};
const messages = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'echo', arguments: { text: 'a' } } },
];

/** What of Node a program has loaded when it ends, and the lines it wrote. */
function run(program: string): { readonly modules: readonly string[]; readonly lines: number } {
  const told = `process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program + told],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      input: messages.map(message => `${JSON.stringify(message)}\n`).join(''),
      encoding: 'utf8',
    },
  );
  expect(status, stderr).toBe(0);
  return { modules: stderr.split('\n'), lines: stdout.split('\n').length - 1 };
}

it('a stdio server needs no more of the platform than streams, files and signals, from its start to its end', () => {
  // A file of its own, for that is how programs are loaded.
  const bare = run(
    `import './scripts/bundles.mjs'; process.stdin.resume().on('end', () => console.log('{}'));`,
  );
  const { modules, lines } = run(server);
  expect({ bare: bare.lines, lines }).toEqual({ bare: 1, lines: 3 });
  const more = modules.filter(name => !bare.modules.includes(name));
  expect(more.filter(name => !/signal|fs\/streams/.test(name))).toEqual([]);
});
