/** What is done in each transcript: a server, a client, and what the two say to each other by it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Acceptor } from '../../src/channels/channel.ts';
import type { Client } from '../../src/client/client.ts';
import type { ClientOptions } from '../../src/client/options.ts';
import { Server } from '../../src/server/server.ts';
import { type AnyTool, tool } from '../../src/tools/tool.ts';
import { ToolError } from '../../src/tools/tool-error.ts';
import { documentScenarios } from './documents.ts';
import { extensionScenarios } from './extensions.ts';
import { talkScenarios } from './talks.ts';

export interface Scenario {
  readonly options: ClientOptions;
  serve(): Acceptor;
  /** Absent where our client never says what is said. */
  run?(client: Client, server: Acceptor): Promise<void>;
}

const greet = tool({
  name: 'greet',
  description: 'Greets somebody.',
  input: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  run({ name }, { progress }) {
    progress(1, { total: 1, message: 'thought of something' });
    return `Hello, ${name}!`;
  },
});

const wait = tool({
  name: 'wait',
  description: 'Waits until it is cancelled.',
  run: (_args, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});

const choose = tool({
  name: 'choose',
  description: 'Asks which tea it shall be.',
  async run(_args, { elicit }) {
    const requestedSchema = { type: 'object', properties: { tea: { type: 'string' } }, required: ['tea'] };
    const { action, content } = await elicit('tea', { message: 'Which tea?', requestedSchema });
    return action === 'accept' ? `One ${content?.['tea']} tea.` : 'No tea, then.';
  },
});

const refuse = tool({
  name: 'refuse',
  description: 'Never does it.',
  run() {
    throw new ToolError('it is closed on Mondays', { data: { opens: 'Tuesday' } });
  },
});

const serve =
  (...tools: AnyTool[]) =>
  (): Server =>
    new Server({ name: 'tea-house', version: '1.0.0', instructions: 'Be polite.', tools });

/** A server that knows the handshake alone. */
function older(server: Acceptor): Acceptor {
  return {
    accept(standing, options) {
      const inlet = server.accept(standing, options);
      const receive = inlet.receive.bind(inlet);
      inlet.receive = (value, exchange, bytes) => {
        const { id, method } = value as { id: number; method?: string };
        if (method !== 'server/discover') return receive(value, exchange, bytes);
        exchange.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
      };
      return inlet;
    },
  };
}

const handshake = { protocol: '2025-11-25' } as const;
const stateless = { protocol: '2026-07-28' } as const;
const onElicit = () => ({ action: 'accept', content: { tea: 'green' } }) as const;

async function listAndCall(client: Client): Promise<void> {
  await client.tools().all();
  await client.call('greet', { name: 'Ann' });
}

async function cancel(client: Client): Promise<void> {
  const controller = new AbortController();
  const call = client.call('wait', {}, { signal: controller.signal }).catch(() => {});
  await turn();
  controller.abort(new Error('a private reason'));
  await call;
  await client.call('greet', { name: 'Ann' });
}

async function beRefused(client: Client): Promise<void> {
  await client.call('great', { name: 'Ann' }).catch(() => {});
  await client.call('greet', { nam: 'Ann' });
  await client.call('refuse');
}

async function watchTools(client: Client, server: Acceptor): Promise<void> {
  const controller = new AbortController();
  const changes = client.watch({ tools: true }, { signal: controller.signal })[Symbol.asyncIterator]();
  const first = changes.next();
  await turn();
  (server as Server).update({ tools: [greet, wait] });
  await first;
  controller.abort();
  await changes.next();
  await turn();
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  ...documentScenarios,
  ...extensionScenarios,
  ...talkScenarios,
  'handshake-list-and-call': { options: handshake, serve: serve(greet), run: listAndCall },
  'handshake-cancel': { options: handshake, serve: serve(greet, wait), run: cancel },
  'stateless-cancel': { options: stateless, serve: serve(greet, wait), run: cancel },
  'handshake-question': {
    options: { ...handshake, onElicit },
    serve: serve(choose),
    run: async client => void (await client.call('choose')),
  },
  'stateless-discover-list-and-call': { options: stateless, serve: serve(greet), run: listAndCall },
  'stateless-question': {
    options: { ...stateless, onElicit },
    serve: serve(choose),
    run: async client => void (await client.call('choose')),
  },
  'handshake-list-changed': { options: handshake, serve: serve(greet), run: watchTools },
  'stateless-watch': { options: stateless, serve: serve(greet), run: watchTools },
  'probe-falls-back': {
    options: {},
    serve: () => older(serve(greet)()),
    run: async client => void (await client.call('greet', { name: 'Ann' })),
  },
  'handshake-refusals': { options: handshake, serve: serve(greet, refuse), run: beRefused },
  'stateless-refusals': { options: stateless, serve: serve(greet, refuse), run: beRefused },
  'handshake-batch': { options: handshake, serve: serve(greet, refuse) },
};
