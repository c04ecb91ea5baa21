/** Our client with published servers over HTTP: sessions, session-less, the newest revision, and the oldest transport. */
import { afterEach, expect, test } from 'vitest';
import { type Client, type ClientOptions, connect, EraMemory, http } from '../../src/entries/client.ts';
import { freePort, type PeerProcess, startPeer } from '../fixtures/http/peer-process.ts';
import { describePeer, fileOf } from './peers.ts';

const peers: PeerProcess[] = [];
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
  await Promise.all(peers.splice(0).map(peer => peer.stop()));
});

function peer(args: readonly string[], env: Readonly<Record<string, string>> = {}): PeerProcess {
  const started = startPeer(args, env);
  peers.push(started);
  return started;
}

async function open(url: string, options: ClientOptions = {}): Promise<Client> {
  const client = await connect(http(url), { eraMemory: new EraMemory(), ...options });
  clients.push(client);
  return client;
}

const firstText = (result: { readonly content: readonly object[] }): unknown =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;
const names = async (client: Client): Promise<string[]> =>
  (await client.tools().all()).map(({ name }) => name);

describePeer('reference-servers', 'the reference server “everything”', () => {
  const program = fileOf(
    'reference-servers',
    'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
  );

  async function everything(mode: 'streamableHttp' | 'sse'): Promise<{ started: PeerProcess; port: number }> {
    const port = await freePort();
    const started = peer([program, mode], { PORT: String(port) });
    await started.printed(/on port \d+/);
    return { started, port };
  }

  test('with sessions: calls, progress, a question, a cancelled call, and a farewell', async () => {
    const { started, port } = await everything('streamableHttp');
    const client = await open(`http://127.0.0.1:${port}/mcp`, {
      onElicit: () => ({ action: 'accept', content: { name: 'Ada', check: true } }),
      onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' }),
    });
    expect(client.revision).toBe('2025-11-25');
    expect(await names(client)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(firstText(await client.call('get-sum', { a: 20, b: 22 }))).toBe('The sum of 20 and 22 is 42.');
    const progress: number[] = [];
    const long = { duration: 0.2, steps: 2 };
    await client.call('trigger-long-running-operation', long, {
      onProgress: report => void progress.push(report.progress),
    });
    expect(progress).toEqual([1, 2]);
    const sampled = await client.call('trigger-sampling-request', { prompt: 'p', maxTokens: 5 });
    expect(JSON.stringify(sampled.content)).toContain('sampled');
    const controller = new AbortController();
    const endless = client.call(
      'trigger-long-running-operation',
      { duration: 600, steps: 6000 },
      { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) },
    );
    await expect(endless).rejects.toThrow('enough');
    await client.close();
    await started.printed(/session termination/i);
  });

  test('by the oldest transport, found out by itself', async () => {
    const { port } = await everything('sse');
    const client = await open(`http://127.0.0.1:${port}/sse`);
    expect(client.revision).toBe('2025-11-25');
    expect(firstText(await client.call('echo', { message: 'hello' }))).toBe('Echo: hello');
  });
});

describePeer('sdk-v2', 'a server of the published 2.x packages', () => {
  const program = fileOf('sdk-v2', 'http-server.mjs');

  test.each([
    ['auto', '2026-07-28', []],
    ['2026-07-28', '2026-07-28', ['--stateless-only']],
    ['2025-11-25', '2025-11-25', []],
  ] as const)(
    'with the protocol option %s: calls, failures, unknown tools',
    async (protocol, revision, args) => {
      const started = peer([program, ...args]);
      const [, port] = await started.printed(/port (\d+)/);
      const client = await open(`http://127.0.0.1:${port}/`, { protocol });
      expect(client.revision).toBe(revision);
      expect(await names(client)).toEqual(['add', 'fail', 'wait']);
      expect(firstText(await client.call('add', { a: 2, b: 3 }))).toBe('5');
      expect(await client.call('fail')).toMatchObject({ isError: true });
      const many = Array.from({ length: 50 }, (_none, index) => client.call('add', { a: index, b: 1 }));
      expect((await Promise.all(many)).map(firstText)).toEqual(many.map((_call, index) => String(index + 1)));
    },
  );

  test('hears of a cancelled call in the newest revision', async () => {
    const started = peer([program]);
    const [, port] = await started.printed(/port (\d+)/);
    const client = await open(`http://127.0.0.1:${port}/`);
    const controller = new AbortController();
    const call = client.call('wait', {}, { signal: controller.signal });
    const caught = expect(call).rejects.toThrow('enough');
    await started.printed(/wait began/);
    controller.abort(new Error('enough'));
    await caught;
    await started.printed(/wait was cancelled/);
  });

  test('that refuses the handshake says so by its revisions', async () => {
    const started = peer([program, '--stateless-only']);
    const [, port] = await started.printed(/port (\d+)/);
    const opening = open(`http://127.0.0.1:${port}/`, { protocol: '2025-11-25' });
    await expect(opening).rejects.toMatchObject({ name: 'VersionError' });
  });
});
