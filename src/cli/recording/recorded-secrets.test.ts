import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listedServer, outcomeOf, type Ran, useCommand } from '../../../test/fixtures/command.ts';
import { startModelEndpoint } from '../../../test/fixtures/model-endpoint.ts';
import { startTold } from '../../../test/fixtures/told.ts';
import { revisions } from '../../entries/client.ts';

const tenon = useCommand();

/** A server that says again whatever it was given: its arguments and its environment. */
const echo = `
import { createInterface } from 'node:readline';
const told = JSON.stringify({ args: process.argv.slice(2), env: process.env });
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'echo', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'told: ' + told }] }),
};
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method]?.(params);
  const outcome = answer ? { result: answer } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }) + '\\n');
});
`;

const secrets = {
  argument: 'argument-of-mine',
  variable: 'variable-of-mine',
  inherited: 'inherited-of-mine',
};

/** The server as a command line, and as an entry that is called `echo`. */
function putEcho(): readonly string[] {
  const file = tenon.put('echo.mjs', echo);
  const args = [file, '--api-key', secrets.argument];
  const env = { MODE_OF_IT: secrets.variable };
  tenon.put('.mcp.json', { mcpServers: { echo: { command: process.execPath, args, env } } });
  return [process.execPath, ...args];
}

const environment = { SOME_TOKEN: secrets.inherited };

/** What is recorded, which holds what the server says but no secret. */
function checkRecorded({ code, err }: Ran): void {
  expect([code, err]).toEqual([0, expect.any(String)]);
  const recorded = readFileSync(join(tenon.folder, 'x.jsonl'), 'utf8');
  expect(recorded).toContain('told: ');
  for (const secret of Object.values(secrets)) expect(recorded).not.toContain(secret);
}

describe('a recording holds no secret that its server was given and says again', () => {
  it('with call, of an entry and of a command line', async () => {
    const line = putEcho();
    const named = tenon.start(['call', 'echo', 'tell', '--record', 'x.jsonl'], environment);
    checkRecorded(await outcomeOf(named));
    const typed = tenon.start(['call', 'tell', '--record', 'x.jsonl', '--', ...line], environment);
    checkRecorded(await outcomeOf(typed));
  });

  it('with run', async () => {
    putEcho();
    const model = await startModelEndpoint({ tool: 'tell', arguments: {} }, 'done');
    const args = ['run', 'x', '-s', 'echo', '--yes', '--record', 'x.jsonl'];
    checkRecorded(await outcomeOf(tenon.start(args, { ...model.environment, ...environment })));
    await model.close();
  });

  it('with proxy', async () => {
    putEcho();
    const child = tenon.start(['proxy', 'echo', '--record', 'x.jsonl'], environment);
    const say = (message: object): unknown =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = {
      protocolVersion: revisions[0],
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    say({ id: 1, method: 'initialize', params });
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: { name: 'tell', arguments: {} } });
    let heard = '';
    await new Promise<void>(resolve => {
      child.stdout?.on('data', chunk => {
        heard += String(chunk);
        if (heard.includes('told: ')) resolve();
      });
      child.once('close', () => resolve());
    });
    checkRecorded(await outcomeOf(child));
  });
});

describe('a recording of a command that a signal ends', () => {
  it.skipIf(process.platform === 'win32')(
    'says so, and not that its server was ended (skipped on Windows)',
    async () => {
      const told = await startTold();
      const tools = [{ name: 'slow', inputSchema: { type: 'object' } }];
      const file = tenon.put('tools.json', { tools, silent: 'tools/call' });
      const args = ['call', 'slow', '--record', 'x.jsonl', '--', ...listedServer, file, told.url];
      const child = tenon.start(args);
      const ended = outcomeOf(child);
      await told.process;
      child.kill('SIGTERM');
      await ended;
      told.close();
      const { out } = await tenon.run('trace', 'x.jsonl');
      expect(out).toMatch(
        /: failed after .*\n.*\n {2}at .*, command failed: the command was ended by SIGTERM\n/,
      );
      expect([child.signalCode, out]).toEqual([
        'SIGTERM',
        expect.not.stringContaining('the server was ended'),
      ]);
    },
  );
});
