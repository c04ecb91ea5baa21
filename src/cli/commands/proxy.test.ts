import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bundled, bundled } from '../../../test/fixtures/bundled.ts';
import { useCommand } from '../../../test/fixtures/command.ts';
import { matrixServer } from '../../../test/fixtures/matrix-offer.ts';
import { readProcesses } from '../../channels/child-processes.ts';
import {
  type Client,
  type ClientOptions,
  connect,
  EraMemory,
  http,
  revisions,
} from '../../entries/client.ts';
import { type HttpService, serveHttp } from '../../entries/node.ts';
import { stdio } from '../../entries/stdio.ts';

const tenon = useCommand();
let matrix: Bundled;
beforeAll(async () => {
  matrix = await bundled('matrix-server');
});
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => {
  matrix.remove();
});

const newest = revisions.at(-1) ?? 'auto';
const oldest = revisions[0] ?? 'auto';
const answers: ClientOptions = {
  onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
};
const textOf = (result: { readonly content: readonly object[] }): unknown =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;

/** Starts the command and waits until it says where it listens. */
async function serve(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = tenon.start(['proxy', ...args], environment);
  closers.push(() => end(child));
  if (!child.stderr) throw new Error('no stderr');
  for await (const line of createInterface({ input: child.stderr })) {
    const [url] = /http:\S+\/mcp/.exec(line) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error('it never listened');
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

async function open(target: Parameters<typeof connect>[0], options: ClientOptions): Promise<Client> {
  const client = await connect(target, { eraMemory: new EraMemory(), ...options });
  closers.push(() => client.close());
  return client;
}

const childrenOf = (child: ChildProcess): number =>
  (readProcesses() ?? []).filter(({ parent }) => parent === child.pid).length;

describe('tenon proxy', () => {
  it.each(['auto', newest, oldest] as const)(
    'serves a program over HTTP to clients of %s',
    async protocol => {
      const { child, url } = await serve(['--http', '--', process.execPath, matrix.program]);
      const client = await open(http(url), { protocol, ...answers });
      expect(JSON.parse(String(textOf(await client.call('add', { a: 20, b: 22 }))))).toEqual({ sum: 42 });
      if (protocol !== oldest) expect(textOf(await client.call('ask'))).toBe('accept Ada');
      expect(childrenOf(child)).toBeGreaterThan(0);
      await client.close();
      expect(await end(child)).toBe(143);
    },
  );

  it.each(['auto', newest, oldest] as const)('serves a URL over stdio to clients of %s', async protocol => {
    const service: HttpService = await serveHttp(matrixServer(), { drain: 1 });
    closers.push(() => service.close());
    const child = tenon.shellLine(['proxy', service.url]);
    const client = await open(stdio({ command: 'sh', args: ['-c', child] }), { protocol, ...answers });
    expect(JSON.parse(String(textOf(await client.call('add', { a: 1, b: 2 }))))).toEqual({ sum: 3 });
    expect(await client.prompts().all()).toHaveLength(1);
    if (protocol !== oldest) expect(textOf(await client.call('ask'))).toBe('accept Ada');
  });

  it('ends when its client leaves, with everything behind it', async () => {
    const service: HttpService = await serveHttp(matrixServer(), { drain: 1 });
    closers.push(() => service.close());
    const child = tenon.start(['proxy', service.url]);
    child.stdin?.end();
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  it('serves a server by its name, and records what is said to it', async () => {
    const entry = { command: process.execPath, args: [matrix.program] };
    tenon.put('.mcp.json', { mcpServers: { sums: entry } });
    const { url } = await serve(['sums', '--http', '127.0.0.1:0', '--record', 'talk.jsonl']);
    const client = await open(http(url), {});
    await client.call('add', { a: 1, b: 2 });
    await client.close();
    const traced = await tenon.run('trace', 'talk.jsonl');
    expect([traced.code, traced.out]).toEqual([0, expect.stringContaining('tools/call')]);
  });

  it('asks for the token where one is set, which the program behind never sees', async () => {
    const { url } = await serve(['--http', '0.0.0.0:0', '--', process.execPath, '-e', printsToken], {
      TENON_TOKEN: 'open-sesame',
    });
    await expect(open(http(url), {})).rejects.toThrow(/401/);
    // It prints nothing but what it sees of the token, which is no server.
    await expect(
      open(http(url, { headers: { authorization: 'Bearer open-sesame' } }), { protocol: oldest }),
    ).rejects.toThrow(/could not be reached \(exited\)/);
  });

  it.each([
    [['--http', '0.0.0.0:8080', 'https://a.example/mcp'], /0\.0\.0\.0 can be reached by others/],
    [['https://a.example/mcp', '--http', '0.0.0.0:8080'], /can be reached by others: set TENON_TOKEN/],
    [['https://a.example/mcp', '--http', 'host:99999'], /--http takes an address/],
    [['https://a.example/mcp', 'other'], /"other" is a word too many/],
    [
      ['https://a.example/mcp', '--max-children', '0'],
      /--max-children must be a whole number from 1, got "0"/,
    ],
    [['https://a.example/mcp', '--idle', 'soon'], /--idle must be seconds above 0, got "soon"/],
    [[], /which server\?/],
  ])('refuses %j', async (args, reason) => {
    const { code, out, err } = await tenon.run('proxy', ...args);
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(reason)]);
  });
});

/** Ends with 0 only when it does not know the token; then it is no server in either case. */
const printsToken = 'process.exit(process.env.TENON_TOKEN === undefined ? 7 : 8)';
