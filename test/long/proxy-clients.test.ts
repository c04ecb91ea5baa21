/** Two hundred clients come to a proxy and leave in every way there is; no process behind it may be left. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proxy } from '../../src/bridge/proxy/proxy.ts';
import { connect, EraMemory, http } from '../../src/entries/client.ts';
import { type HttpService, serveHttp } from '../../src/entries/node.ts';
import { stdio } from '../../src/entries/stdio.ts';
import { type Bundled, bundled, children } from '../fixtures/bundled.ts';

let program: Bundled;
beforeAll(async () => {
  program = await bundled('matrix-server');
});
afterAll(() => program.remove());

const most = 32;
const ours = (): number[] => children().filter(pid => !program.helpers.includes(pid));

/** The ways to come and to leave; each says whether it was let in. */
const visits: readonly ((url: string) => Promise<boolean>)[] = [
  /** Politely. */
  async url => {
    const client = await connect(http(url), { protocol: '2025-11-25', eraMemory: new EraMemory() });
    await client.call('add', { a: 1, b: 2 });
    await client.close();
    return true;
  },
  /** Without a word. */
  async url => {
    const reply = await initialize(url);
    await reply.text();
    return reply.ok;
  },
  /** Before it was let in. */
  async url => {
    const controller = new AbortController();
    const reply = initialize(url, controller.signal);
    await fetch(url, { method: 'OPTIONS' }).then(answer => answer.body?.cancel());
    controller.abort();
    await reply.catch(() => {});
    return true;
  },
  /** Without a session at all. */
  async url => {
    const client = await connect(http(url), { protocol: '2026-07-28', eraMemory: new EraMemory() });
    await client.call('add', { a: 1, b: 2 });
    await client.close();
    return true;
  },
];

function initialize(url: string, signal?: AbortSignal): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    ...(signal ? { signal } : {}),
  });
}

test('two hundred clients, opened and dropped, leave no child', { timeout: 300_000 }, async () => {
  const channel = stdio({ command: process.execPath, args: [program.program] });
  const middle = proxy(options => connect(channel, options), {
    maxUpstreams: most,
    idle: 300,
    onFault: () => {},
  });
  const service: HttpService = await serveHttp(middle, { drain: 1 });
  const waiting = Array.from({ length: 200 }, (_none, at) => at);
  let peak = 0;
  const visit = async (): Promise<void> => {
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const come = visits[at % visits.length];
      // Whoever is refused comes again, until those who left without a word are forgotten.
      while (!(await come?.(service.url).catch(() => false)));
      peak = Math.max(peak, ours().length);
    }
  };
  await Promise.all(Array.from({ length: 8 }, visit));
  expect(waiting).toEqual([]);
  // One more may be there while it makes room for another.
  expect(peak).toBeLessThanOrEqual(most + 1);
  expect(peak).toBeGreaterThan(1);
  while (ours().length > 0)
    await fetch(service.url, { method: 'OPTIONS' }).then(reply => reply.body?.cancel());
  await service.close();
  await middle.close();
  expect(ours()).toEqual([]);
});
