/** Published clients and servers with our proxy between them: what they can do directly they can do through it. */
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { proxy } from '../../src/bridge/proxy/proxy.ts';
import {
  type Channel,
  type Client,
  type ClientOptions,
  connect,
  EraMemory,
  http,
  type Revision,
} from '../../src/entries/client.ts';
import { serveHttp } from '../../src/entries/node.ts';
import { stdio } from '../../src/entries/stdio.ts';
import { memory } from '../../src/entries/testing.ts';
import { type Bundled, bundled } from '../fixtures/bundled.ts';
import { behaviours } from './matrix/behaviours.ts';
import type { Driver, OpenDriver } from './matrix/driver.ts';
import { openOurs } from './matrix/our-driver.ts';
import { relayTo } from './matrix/relay.ts';
import { describePeer, fileOf, type PeerName } from './peers.ts';

let program: Bundled;
beforeAll(async () => {
  program = await bundled('matrix-server');
});
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => program.remove());

/** A proxy in front of a program. */
function inFrontOf(args: readonly string[], protocol: 'auto' | Revision = 'auto') {
  const channel = stdio({ command: process.execPath, args });
  const middle = proxy(options => connect(channel, { ...options, protocol, eraMemory: new EraMemory() }), {
    alike: true,
  });
  closers.push(() => middle.close());
  return middle;
}

interface Front {
  readonly title: string;
  readonly peer: PeerName | undefined;
  readonly mode: string;
  readonly stateless: boolean;
}

const fronts: readonly Front[] = [
  { title: 'our client', peer: undefined, mode: '2026-07-28', stateless: true },
  { title: 'our client', peer: undefined, mode: '2025-11-25', stateless: false },
  { title: 'the 1.x client', peer: 'sdk-v1', mode: 'default', stateless: false },
  { title: 'the 2.x client', peer: 'sdk-v2', mode: 'legacy', stateless: false },
  { title: 'the 2.x client', peer: 'sdk-v2', mode: '2026-07-28', stateless: true },
];

const backs: readonly {
  readonly title: string;
  readonly args: () => readonly string[];
  readonly peer: PeerName;
}[] = [
  { title: 'the 1.x server', peer: 'sdk-v1', args: () => [fileOf('sdk-v1', 'matrix-server.mjs')] },
  { title: 'the 2.x server', peer: 'sdk-v2', args: () => [fileOf('sdk-v2', 'matrix-server.mjs')] },
  { title: 'our server', peer: 'sdk-v2', args: () => [program.program] },
];

/** What a proxy cannot have: a reply that the server behind cuts, since the replies are its own. */
const notOurs = ['resume'];
/** There is no session to lose, and nothing beside a result to hear by. */
const withSessions = ['session-404', 'log'];

for (const back of backs) {
  for (const front of fronts) {
    describePeer(front.peer ?? back.peer, `${front.title}, ${front.mode}, and ${back.title}`, () => {
      describePeer(back.peer, 'with the proxy between them over HTTP', () => {
        test('agree in what they can do', async () => {
          const service = await serveHttp(inFrontOf(back.args()), { drain: 1 });
          closers.push(() => service.close());
          const relay = await relayTo(service.url);
          closers.push(() => relay.close());
          const open: OpenDriver =
            front.peer === undefined
              ? openOurs
              : ((await import(fileOf(front.peer, 'driver.mjs'))) as { open: OpenDriver }).open;
          let driver: Driver = await open({ kind: 'http', url: relay.url }, front.mode);
          closers.push(() => driver.close());
          const failed: string[] = [];
          for (const behaviour of behaviours) {
            if (notOurs.includes(behaviour.id)) continue;
            if (front.stateless && withSessions.includes(behaviour.id)) continue;
            const reconnect = async (): Promise<Driver> => {
              await driver.close().catch(() => {});
              driver = await open({ kind: 'http', url: relay.url }, front.mode);
              return driver;
            };
            await behaviour
              .run({ driver, relay, reconnect })
              .catch((error: unknown) => failed.push(`${behaviour.id}: ${String(error)}`));
          }
          expect(failed).toEqual([]);
        });
      });
    });
  }
}

const everything = fileOf(
  'reference-servers',
  'node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const answers: ClientOptions = {
  onElicit: () => ({ action: 'decline' }),
  onSample: ({ messages }) => ({
    role: 'assistant',
    content: { type: 'text', text: `heard ${messages.length}` },
    model: 'teapot',
  }),
  onRoots: () => [{ uri: 'file:///somewhere', name: 'somewhere' }],
};

/** Each cell gives what can be compared. */
const cells: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'says who it is': async client => [client.server, client.instructions],
  'lists tools': async client =>
    (await client.tools().all()).map(({ name, inputSchema }) => [name, inputSchema]),
  echo: client => client.call('echo', { message: 'é—😀' }),
  'adds and says it': client => client.call('get-sum', { a: 20, b: 22 }),
  'structured content': client => client.call('get-structured-content', { location: 'New York' }),
  image: client => client.call('get-tiny-image'),
  annotations: client => client.call('get-annotated-message', { messageType: 'error', includeImage: true }),
  links: client => client.call('get-resource-links', { count: 3 }),
  'arguments that do not fit': client => client.call('get-sum', { a: 'x' }),
  'a tool that is not there': client => client.call('nobody'),
  'progress of a long call': async client => {
    const heard: unknown[] = [];
    const args = { duration: 0.2, steps: 4 };
    const options = { onProgress: (report: object) => heard.push({ ...report }) };
    return [await client.call('trigger-long-running-operation', args, options), heard];
  },
  'a call that is cancelled': async client => {
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort(new Error('enough')) };
    const call = client.call('trigger-long-running-operation', { duration: 600, steps: 6000 }, options);
    return [
      await call.catch((error: unknown) => String(error)),
      await client.call('echo', { message: 'here' }),
    ];
  },
  elicitation: client => client.call('trigger-elicitation-request'),
  sampling: client => client.call('trigger-sampling-request', { prompt: 'say', maxTokens: 10 }),
  roots: client => client.call('get-roots-list'),
  resources: async client => (await client.resources().all()).map(({ uri }) => uri),
  templates: async client => (await client.resourceTemplates().all()).map(({ uriTemplate }) => uriTemplate),
  'a resource': async client => {
    const [first] = await client.resources().all();
    return client.read(first?.uri ?? '');
  },
  'a resource that is not there': async client =>
    client.read('demo://nothing').catch((error: { readonly code?: unknown }) => typeof error.code),
  prompts: async client => (await client.prompts().all()).map(({ name }) => name),
  'a prompt': client => client.prompt('args-prompt', { city: 'Rome', state: 'Lazio' }),
  completion: client => client.complete({ prompt: 'completable-prompt' }, { name: 'department', value: 'E' }),
};

describePeer('reference-servers', 'server-everything behind the proxy', () => {
  const reach: Readonly<Record<string, () => Promise<Channel>>> = {
    'one pipe': async () => memory(inFrontOf([everything, 'stdio'])),
    HTTP: async () => {
      const service = await serveHttp(inFrontOf([everything, 'stdio']), { drain: 1 });
      closers.push(() => service.close());
      return http(service.url);
    },
  };

  const results = async (client: Client): Promise<Record<string, unknown>> => {
    const found: Record<string, unknown> = {};
    for (const [name, run] of Object.entries(cells)) found[name] = await run(client);
    return found;
  };

  let direct: Record<string, unknown>;
  beforeAll(async () => {
    const client = await connect(stdio({ command: process.execPath, args: [everything, 'stdio'] }), answers);
    direct = await results(client);
    await client.close();
  });

  test.each([
    ['one pipe', '2025-11-25'],
    ['one pipe', '2026-07-28'],
    ['HTTP', '2025-11-25'],
    ['HTTP', '2026-07-28'],
  ] as const)('gives over %s to a client of %s what it gives directly', async (way, protocol) => {
    const channel = await reach[way]?.();
    if (!channel) throw new Error('no such way');
    const client = await connect(channel, { ...answers, protocol, eraMemory: new EraMemory() });
    closers.push(() => client.close());
    expect(client.revision).toBe(protocol);
    expect(await results(client)).toEqual(direct);
  });
});

describePeer('reference-servers', 'server-filesystem behind the proxy', () => {
  const filesystem = fileOf(
    'reference-servers',
    'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
  );

  test.each(['one pipe', 'HTTP', 'HTTP, asked by the next call'])(
    'asks for roots outside of any call, and its client is asked: %s',
    async way => {
      let told = '';
      let heard = (): void => {};
      const taken = new Promise<void>(resolve => {
        heard = resolve;
      });
      // The server says on stderr when it has taken the roots; nothing on the wire tells.
      const stderr = (chunk: string): void => {
        told += chunk;
        if (told.includes('Updated allowed directories')) heard();
      };
      const channel = stdio({ command: process.execPath, args: [filesystem], stderr });
      const middle = proxy(options => connect(channel, options));
      closers.push(() => middle.close());
      const service = await serveHttp(middle, { drain: 1 });
      closers.push(() => service.close());
      const folder = fileURLToPath(new URL('.', import.meta.url));
      const client = await connect(way === 'one pipe' ? memory(middle) : http(service.url), {
        protocol: '2025-11-25',
        eraMemory: new EraMemory(),
        onRoots: () => [{ uri: `file://${folder}` }],
      });
      closers.push(() => client.close());
      if (way !== 'HTTP, asked by the next call') await taken;
      const path = `${folder}proxy.test.ts`;
      // Until it has its roots it refuses everything.
      let text = '';
      while (!text.includes('server-filesystem behind')) {
        text = JSON.stringify((await client.call('read_text_file', { path })).content);
      }
    },
  );
});
