/** The packed package, installed into an empty folder: its `tenon serve` is listed and called by the official clients. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePeer, runOfficialClient, type Seen } from '../interop/peers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const npm = (folder: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}\n${stderr}`);
  return stdout;
};

/** A model of the OpenAI-compatible kind that always says 42, streaming when it is asked to. */
function serveModel(): Promise<Server> {
  const usage = { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 };
  const common = { id: 'c', created: 0, model: 'fixed' };
  const server = createServer((request: IncomingMessage, response) => {
    void readText(request).then(body => {
      const { stream } = JSON.parse(body) as { stream?: boolean };
      if (stream !== true) {
        const message = { role: 'assistant', content: '42' };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            ...common,
            object: 'chat.completion',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
            usage,
          }),
        );
        return;
      }
      const chunk = (choices: readonly object[], more: object = {}): string =>
        `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`;
      response.setHeader('content-type', 'text/event-stream');
      response.write(chunk([{ index: 0, delta: { role: 'assistant', content: '42' }, finish_reason: null }]));
      response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]));
      response.end(`${chunk([], { usage })}data: [DONE]\n\n`);
    });
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

let folder = '';
let unpackedSize = 0;
let model: Server;
const serve = { command: 'npx', args: ['--no-install', 'tenon', 'serve'] };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-packed-'));
  npm(root, 'run', 'build');
  const packed = npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename, unpackedSize: size }] = JSON.parse(packed) as [
    { filename: string; unpackedSize: number },
  ];
  unpackedSize = size;
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  model = await serveModel();
}, 120_000);

afterAll(() => {
  model?.close();
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

test('it is one package below 1.5 MB', () => {
  expect(readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual(['tenon']);
  expect(unpackedSize).toBeLessThan(1_500_000);
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/tenon/package.json'), 'utf8')) as {
    dependencies?: object;
  };
  expect(manifest.dependencies ?? {}).toEqual({});
});

const modes: readonly {
  readonly title: string;
  readonly client: Parameters<typeof runOfficialClient>[0];
  readonly revision: string;
}[] = [
  { title: 'the 1.x client', client: ['sdk-v1'], revision: '2025-11-25' },
  { title: 'the 2.x client in its default mode', client: ['sdk-v2'], revision: '2025-11-25' },
  { title: 'the 2.x client pinned to 2026-07-28', client: ['sdk-v2', '2026-07-28'], revision: '2026-07-28' },
];

for (const { title, client, revision } of modes) {
  describePeer(client[0], `\`npx tenon serve\` with ${title}`, () => {
    const calls = [
      { name: 'consensus', arguments: { prompt: 'What is six times seven?' } },
      { name: 'react_loop', arguments: { prompt: 'What is six times seven?' } },
      { name: 'consensus', arguments: { prompt: 'x', n: 99 } },
    ];
    const run = (env: Readonly<Record<string, string>>): Promise<Seen> =>
      runOfficialClient(client, { ...serve, cwd: folder, env }, calls);

    test(`speaks ${revision}, lists both patterns and answers with a model`, async () => {
      const { port } = model.address() as AddressInfo;
      const env = {
        TENON_BASE_URL: `http://127.0.0.1:${port}/v1`,
        TENON_MODEL: 'fixed',
        TENON_API_KEY: 'key',
      };
      const seen = await run(env);
      expect(seen.revision).toBe(revision);
      expect(seen.tools.map(({ name }) => name)).toEqual(['consensus', 'react_loop']);
      const [consensus, loop, refused] = seen.results;
      for (const result of [consensus, loop]) {
        expect(result?.isError ?? false).toBe(false);
        expect(result?.content?.[0]?.text).toMatch(/^42\n/);
        expect(result?.structuredContent).toMatchObject({ answer: '42' });
      }
      expect(consensus?.progress.length).toBeGreaterThan(0);
      expect(refused).toMatchObject({ isError: true });
      expect(refused?.content?.[0]?.text).toContain('n');
    }, 60_000);

    test('without a model it lists all the same, and a call says which variables are missing', async () => {
      const seen = await run({});
      expect(seen.tools).toHaveLength(2);
      expect(seen.results[0]).toMatchObject({ isError: true });
      expect(seen.results[0]?.content?.[0]?.text).toContain('TENON_BASE_URL');
      expect(seen.results[0]?.content?.[0]?.text).toContain('TENON_MODEL');
    }, 60_000);
  });
}
