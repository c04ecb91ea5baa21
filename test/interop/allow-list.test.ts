/** A caller's loop answers with two tools of a published filesystem server; a third is refused although it is asked for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { describePeer, fileOf, type PeerName, runOfficialClient } from './peers.ts';

type Mode = Parameters<typeof runOfficialClient>[0];

const home = mkdtempSync(join(tmpdir(), 'tenon-allow-list-'));
const folder = join(home, 'notes');
let server: Bundled;
const filesystem = fileOf(
  'reference-servers',
  'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'note.txt'), 'mortise');
  writeFileSync(join(home, 'secret.txt'), 'hidden');
  server = await bundled('allow-list-server');
});

afterAll(() => {
  server?.remove();
  rmSync(home, { recursive: true, force: true });
});

function expectAnswer(result: unknown): void {
  expect(result).toMatchObject({
    structuredContent: {
      answer: expect.stringContaining('mortise'),
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
  expect(JSON.stringify(result)).not.toContain('hidden');
  expect(readFileSync(join(folder, 'note.txt'), 'utf8')).toBe('mortise');
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
        { command: process.execPath, args: [server.program, filesystem, folder] },
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
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: fileOf(peer, ''),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part;
  });
  await once(child, 'close');
  return JSON.parse(out) as unknown;
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
      const service = spawn(process.execPath, [server.program, filesystem, folder, '--http'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        const [url] = (await once(createInterface(service.stdout), 'line')) as [string];
        expectAnswer(await callOverHttp(peer, url, options));
      } finally {
        const closed = once(service, 'close');
        service.stdin.end();
        expect((await closed)[0]).toBe(0);
      }
    });
  });
}
