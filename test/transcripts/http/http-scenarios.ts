/** What is done in each transcript over HTTP: a server, how it is served, a client, and what the two say by it. */
import { setImmediate as turn } from 'node:timers/promises';
import { bearer } from '../../../src/channels/http-server-auth.ts';
import type { HttpServerOptions } from '../../../src/channels/http-server-options.ts';
import type { Client } from '../../../src/client/client.ts';
import type { ClientOptions } from '../../../src/client/options.ts';
import { memoryEvents } from '../../../src/eras/for-servers.ts';
import { tasks } from '../../../src/extensions/tasks/tasks.ts';
import type { Server } from '../../../src/server/server.ts';
import { makeTaskServer } from './http-server.ts';
import { endpoint, type Handle } from './http-transcript.ts';

export interface HttpScenario {
  readonly options?: ClientOptions;
  /** The tea house unless given. */
  serve?(): Server;
  serving?(): HttpServerOptions;
  /** What stands before the server. */
  around?(handle: Handle): Handle;
  /** Absent where our client never says what is said. `another` connects one more client. */
  run?(client: Client, another: () => Promise<Client>): Promise<void>;
}

/** A server that knows nothing newer than the transport of two endpoints. */
const onlyTwoEndpoints = (handle: Handle): Handle => {
  const refusal = { status: 405, headers: { allow: 'GET' } };
  return async request =>
    request.method === 'POST' && request.url === endpoint ? new Response(null, refusal) : handle(request);
};

/** Something in between that ends the first standing stream behind its first message. */
const cutOnce = (handle: Handle): Handle => {
  let whole = true;
  return async request => {
    const response = await handle(request);
    if (request.method !== 'GET' || !whole || !response.body) return response;
    whole = false;
    return new Response(untilMessage(response.body), response);
  };
};

async function* untilMessage(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk;
    if (new TextDecoder().decode(chunk).includes('"method"')) return;
  }
}

const choose = async (client: Client): Promise<void> => void (await client.call('choose'));
const chooseInVain = (client: Client): Promise<void> => choose(client).catch(() => {});

/** Hears of a change of the tools and of the card, which a call brings about. */
async function watch(client: Client): Promise<void> {
  const controller = new AbortController();
  const wanted = { tools: true, uris: ['tea://card'] };
  const changes = client.watch(wanted, { signal: controller.signal })[Symbol.asyncIterator]();
  const first = changes.next();
  await turn();
  await client.call('restock');
  await first;
  await changes.next();
  controller.abort();
  await changes.next();
  await client.read('tea://card');
}

async function cancel(client: Client): Promise<void> {
  const controller = new AbortController();
  const onProgress = (): void => controller.abort(new Error('a private reason'));
  await client.call('wait', {}, { signal: controller.signal, onProgress }).catch(() => {});
  await client.read('tea://card');
}

async function mirror(client: Client): Promise<void> {
  await client.tools().all();
  await client.call('post', { city: 'Zürich' }, { onProgress: () => {} });
  await client.read('tea://card');
  await client.call('poste', {}).catch(() => {});
}

async function callAfterAChange(client: Client): Promise<void> {
  await client.tools().all();
  await client.call('restock');
  await client.call('post', { city: 'Bern' });
}

async function loseTheSession(client: Client, another: () => Promise<Client>): Promise<void> {
  const second = await another();
  await client.read('tea://card');
  await second.close();
}

async function awaitTask(client: Client): Promise<void> {
  const handle = await tasks.start(client, 'ferment');
  await turn();
  await handle.result();
}

const handshake = { protocol: '2025-11-25' } as const;
const stateless = { protocol: '2026-07-28' } as const;
const onElicit = () => ({ action: 'accept', content: { tea: 'green' } }) as const;

export const httpScenarios: Readonly<Record<string, HttpScenario>> = {
  'every-era-checks': {
    serving: () => ({
      authenticate: bearer({ ann: 'token-1' }),
      allowedHosts: ['tea.example'],
      allowedOrigins: ['https://tea.example'],
    }),
  },
  'handshake-batch': {},
  'handshake-cancel': { options: handshake, run: cancel },
  'handshake-json-alone': {},
  'handshake-no-sessions': {
    options: { ...handshake, onElicit },
    serving: () => ({ sessions: false }),
    run: choose,
  },
  'handshake-no-sessions-no-questions': {
    options: { ...handshake, onElicit },
    serving: () => ({ sessions: 'none' }),
    run: chooseInVain,
  },
  'handshake-refusals': {},
  'handshake-resume': {
    options: handshake,
    serving: () => ({ events: memoryEvents(), retry: 1 }),
    run: async client => void (await client.call('steep')),
  },
  'handshake-session': { options: { ...handshake, onElicit }, run: choose },
  'handshake-session-lost': {
    options: handshake,
    serving: () => ({ maxSessions: 1 }),
    run: loseTheSession,
  },
  'handshake-standing-resumed': {
    options: handshake,
    serving: () => ({ events: memoryEvents(), retry: 1 }),
    around: cutOnce,
    run: watch,
  },
  'handshake-standing-stream': { options: handshake, run: watch },
  'handshake-two-endpoints': {
    options: { onElicit },
    serving: () => ({ sse: true }),
    around: onlyTwoEndpoints,
    run: choose,
  },
  'stateless-cancel': { options: stateless, run: cancel },
  'stateless-header-mismatch': { options: stateless, run: callAfterAChange },
  'stateless-headers': { options: stateless, run: mirror },
  'stateless-listen': { options: stateless, run: watch },
  'stateless-question': { options: { ...stateless, onElicit }, run: choose },
  'stateless-refusals': {},
  'stateless-task': {
    options: { ...stateless, extensions: [tasks()] },
    serve: makeTaskServer,
    run: awaitTask,
  },
};
