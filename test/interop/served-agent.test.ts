/** A served agent asks an official client for three approvals, and goes on each time where it stopped. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { describePeer, runAmong } from './peers.ts';

let server: Bundled;
beforeAll(async () => {
  server = await bundled('approving-agent');
});
afterAll(() => server?.remove());

type Peer = 'sdk-v1' | 'sdk-v2';

const begins: Readonly<Record<Peer, string>> = {
  'sdk-v1': `import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema as elicit } from '@modelcontextprotocol/sdk/types.js';`,
  'sdk-v2': `import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const elicit = 'elicitation/create';`,
};

/** What one call came to, and what the client was asked meanwhile. */
async function callWriter(peer: Peer, options: object, noteLength: number): Promise<unknown> {
  const args = JSON.stringify([server.program, String(noteLength)]);
  const source = `${begins[peer]}
const client = new Client({ name: 'official', version: '1.0.0' }, ${JSON.stringify(options)});
const asked = [];
client.setRequestHandler(elicit, async ({ params }) => {
  asked.push(params.message);
  return { action: 'accept', content: { approve: true } };
});
await client.connect(new StdioClientTransport({ command: process.execPath, args: ${args} }));
const result = await client.callTool({ name: 'writer', arguments: { prompt: 'Write.' } });
console.log(JSON.stringify({ asked, result }));
await client.close();`;
  return runAmong(peer, source);
}

const capabilities = { elicitation: { form: {} } };
const clients: readonly { readonly title: string; readonly peer: Peer; readonly options: object }[] = [
  { title: 'the 1.x client', peer: 'sdk-v1', options: { capabilities } },
  { title: 'the 2.x client', peer: 'sdk-v2', options: { capabilities } },
  {
    title: 'the 2.x client that negotiates',
    peer: 'sdk-v2',
    options: { capabilities, versionNegotiation: { mode: 'auto' } },
  },
];

for (const { title, peer, options } of clients) {
  describePeer(peer, title, () => {
    test.each([
      ['travels with the call', 1],
      ['is too large for that', 50_000],
    ])('approves three calls of a run that %s: four model calls, each tool once', async (_what, length) => {
      const question = (name: string): string =>
        `"writer" wants to run the tool "write" with these arguments: {"name":"${name}"}`;
      expect(await callWriter(peer, options, length)).toMatchObject({
        asked: [question('a'), question('b'), question('c')],
        result: {
          structuredContent: {
            answer: 'written: a, b, c; requests: 4',
            toolCalls: 3,
            usage: { calls: 4 },
          },
        },
      });
    });
  });
}
