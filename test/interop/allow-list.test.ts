/** `tenon serve`: a caller's loop answers with two tools of a published filesystem server; a third is refused although it is asked for. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readProcesses } from '../../src/channels/child-processes.ts';
import { useCommand } from '../fixtures/command.ts';
import { type ModelEndpoint, startModelEndpoint } from '../fixtures/model-endpoint.ts';
import { describePeer, fileOf, type PeerName, runAmong, runOfficialClient } from './peers.ts';

type Mode = Parameters<typeof runOfficialClient>[0];

const tenon = useCommand();
let model: ModelEndpoint;
const config = 'served.json';
const folder = (): string => join(tenon.folder, 'notes');
const filesystem = fileOf(
  'reference-servers',
  'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

beforeEach(async () => {
  tenon.put('notes/note.txt', 'mortise');
  tenon.put('secret.txt', 'hidden');
  tenon.put(config, {
    models: { default: { model: 'm', baseUrl: `$\{MODEL_URL}`, apiKey: `$\{MODEL_KEY}` } },
    mcpServers: { files: { command: process.execPath, args: [filesystem, folder()] } },
    tools: {
      files: {
        allow: ['list_directory', 'read_text_file'],
        rules: { '*': { arguments: { path: { within: [folder()] } } } },
      },
    },
    patterns: { react_loop: true },
  });
  model = await startModelEndpoint(
    { tool: 'list_directory', arguments: { path: folder() } },
    { tool: 'write_file', arguments: { path: join(folder(), 'note.txt'), content: 'gone' } },
    { tool: 'read_text_file', arguments: { path: `${folder()}/../secret.txt` } },
    { tool: 'read_text_file', arguments: { path: join(folder(), 'note.txt') } },
    'That is what the note says.',
  );
});

afterEach(async () => {
  await model?.close();
});

const environment = (): Readonly<Record<string, string>> => ({
  MODEL_URL: model.environment['TENON_BASE_URL'] ?? '',
  MODEL_KEY: 'sk-of-mine',
});

function expectAnswer(result: unknown): void {
  expect(result).toMatchObject({
    structuredContent: {
      answer: 'That is what the note says.',
      rounds: 5,
      refusedCalls: [
        {
          tool: 'write_file',
          reason: expect.stringContaining('There is no tool named "write_file"; use one of: '),
        },
        { tool: 'read_text_file', reason: expect.stringContaining('must be an absolute path within') },
      ],
    },
  });
  const told = JSON.stringify(model.requests.at(-1)?.messages);
  expect(told).toContain('note.txt');
  expect(told).toContain('mortise');
  expect(told + JSON.stringify(result)).not.toContain('hidden');
  expect(readFileSync(join(folder(), 'note.txt'), 'utf8')).toBe('mortise');
}

const clients: readonly { readonly title: string; readonly client: Mode }[] = [
  { title: 'the 1.x client over stdio', client: ['sdk-v1'] },
  { title: 'the 2.x client over stdio', client: ['sdk-v2'] },
  { title: 'the 2.x client over stdio, negotiating', client: ['sdk-v2', 'auto'] },
];

for (const { title, client } of clients) {
  describePeer(client[0], title, () => {
    test('gets the answer, and the evidence of what was refused', async () => {
      const seen = await runOfficialClient(
        client,
        { command: 'sh', args: ['-c', tenon.shellLine(['serve', config], environment())] },
        [{ name: 'react_loop', arguments: { prompt: 'What does the note say?' } }],
      );
      expect(seen.tools.map(({ name }) => name)).toEqual(['react_loop']);
      expectAnswer(seen.results[0]);
    });
  });
}

const imports: Readonly<Record<'sdk-v1' | 'sdk-v2', string>> = {
  'sdk-v1': `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';`,
  'sdk-v2': `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';`,
};

/** One call with an official client over HTTP, and what it printed. */
async function callOverHttp(peer: 'sdk-v1' | 'sdk-v2', url: string, options: object): Promise<unknown> {
  const source = `${imports[peer]}
const client = new Client({ name: 'official', version: '1.0.0' }, ${JSON.stringify(options)});
await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)})));
console.log(JSON.stringify(await client.callTool({ name: 'react_loop', arguments: { prompt: 'Read.' } })));
await client.close();`;
  return runAmong(peer, source);
}

const overHttp: readonly {
  readonly title: string;
  readonly peer: PeerName & keyof typeof imports;
  readonly options: object;
}[] = [
  { title: 'the 1.x client over HTTP', peer: 'sdk-v1', options: {} },
  { title: 'the 2.x client over HTTP', peer: 'sdk-v2', options: {} },
  {
    title: 'the 2.x client over HTTP, negotiating',
    peer: 'sdk-v2',
    options: { versionNegotiation: { mode: 'auto' } },
  },
];

for (const { title, peer, options } of overHttp) {
  describePeer(peer, title, () => {
    test('gets the answer, and the evidence of what was refused', async () => {
      const child = tenon.start(['serve', config, '--http'], environment());
      const closed = once(child, 'close');
      try {
        expectAnswer(await callOverHttp(peer, await urlOf(child), options));
        const behind = (readProcesses() ?? []).filter(({ parent }) => parent === child.pid);
        expect(behind).toHaveLength(1);
        child.kill('SIGINT');
        expect((await closed)[0]).toBe(130);
        const left = (readProcesses() ?? []).filter(({ pid }) => pid === behind[0]?.pid);
        expect(left).toEqual([]);
      } finally {
        child.kill('SIGKILL');
        await closed;
      }
    });
  });
}

/** Where it listens, once it says so; what else it says is of no interest. */
async function urlOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('no stderr');
  const lines = createInterface({ input: child.stderr });
  for await (const line of lines) {
    const [url] = /http:\S+\/mcp/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return url;
  }
  throw new Error('it never listened');
}
