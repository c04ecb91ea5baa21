/** Processes behind a proxy: one for each session, collected when it ends, and replaced when it dies. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { proxy } from '../../src/bridge/proxy/proxy.ts';
import type { ProxyOptions } from '../../src/bridge/proxy/proxy-options.ts';
import { type Client, connect, EraMemory, http, type Revision } from '../../src/entries/client.ts';
import { serveHttp } from '../../src/entries/node.ts';
import { stdio } from '../../src/entries/stdio.ts';
import { type Bundled, bundled, children } from '../fixtures/bundled.ts';

let program: Bundled;
beforeAll(async () => {
  program = await bundled('matrix-server');
});
afterAll(() => program.remove());
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  expect(ours()).toEqual([]);
});

const ours = (): number[] => children().filter(pid => !program.helpers.includes(pid));

async function stand(options: ProxyOptions = {}) {
  const faults: unknown[] = [];
  const channel = stdio({ command: process.execPath, args: [program.program] });
  const middle = proxy(given => connect(channel, given), {
    onFault: (_message, cause) => faults.push(cause),
    ...options,
  });
  const service = await serveHttp(middle, { drain: 1 });
  closers.push(
    () => middle.close(),
    () => service.close(),
  );
  const open = async (protocol: Revision): Promise<Client> => {
    const client = await connect(http(service.url), { protocol, eraMemory: new EraMemory() });
    closers.push(() => client.close());
    return client;
  };
  return { open, faults };
}

const textOf = (result: { readonly content: readonly object[] }): unknown =>
  (result.content[0] as { readonly text?: string }).text;

test('each session has a process of its own, which goes with it', async () => {
  const { open } = await stand();
  const [one, two] = [await open('2025-11-25'), await open('2025-11-25')];
  expect(ours()).toHaveLength(2);
  await one.close();
  while (ours().length > 1) await two.tools().all();
  expect(textOf(await two.call('add', { a: 1, b: 2 }))).toBe('{"sum":3}');
});

test('a process that dies in a call leaves its outcome unknown, and the next call gets another session', async () => {
  const { open, faults } = await stand();
  const client = await open('2025-11-25');
  let runs = (): void => {};
  const running = new Promise<void>(resolve => {
    runs = resolve;
  });
  const ended = client.call('count', { waits: true }, { onProgress: runs });
  await running;
  const [pid] = ours();
  process.kill(pid ?? 0, 'SIGKILL');
  const result = await ended;
  expect([result.isError, textOf(result)]).toEqual([
    true,
    expect.stringMatching(/^The outcome of this call is unknown: the server behind this proxy ended/),
  ]);
  expect(JSON.stringify(result)).not.toContain(program.program);
  expect(faults[0]).toMatchObject({ name: 'ConnectionError', exit: { signal: 'SIGKILL' } });
  expect(textOf(await client.call('add', { a: 1, b: 2 }))).toBe('{"sum":3}');
  expect(ours()).not.toContain(pid);
});

test('a client without a session is served by another process when the one it used has died', async () => {
  const { open } = await stand();
  const client = await open('2026-07-28');
  await client.call('add', { a: 1, b: 2 });
  const [pid] = ours();
  process.kill(pid ?? 0, 'SIGKILL');
  while (ours().includes(pid ?? 0)) await new Promise<void>(resolve => setImmediate(resolve));
  // It may be heard of only after the next call was sent.
  let text: unknown;
  while (text !== '{"sum":3}') {
    text = await client.call('add', { a: 1, b: 2 }).then(textOf, () => undefined);
  }
});

test('processes that nobody uses are ended', async () => {
  const { open } = await stand({ idle: 200 });
  const client = await open('2026-07-28');
  await client.call('add', { a: 1, b: 2 });
  expect(ours()).toHaveLength(1);
  while (ours().length > 0) await new Promise<void>(resolve => setImmediate(resolve));
  expect(textOf(await client.call('add', { a: 1, b: 2 }))).toBe('{"sum":3}');
});
