/** What is done in each transcript over HTTP: a server, how it is served, a client, and what the two say by it. */
import type { HttpServerOptions } from '../../../src/channels/http-server-options.ts';
import type { Client } from '../../../src/client/client.ts';
import type { ClientOptions } from '../../../src/client/options.ts';
import { memoryEvents } from '../../../src/eras/index.ts';
import { Server } from '../../../src/server/server.ts';
import { tool } from '../../../src/tools/tool.ts';

export interface HttpScenario {
  readonly options: ClientOptions;
  serving(): HttpServerOptions;
  run(client: Client): Promise<void>;
}

const post = tool({
  name: 'post',
  description: 'Sends a tea.',
  input: {
    type: 'object',
    properties: { city: { type: 'string', 'x-mcp-header': 'City' } },
    required: ['city'],
  },
  run({ city }, { progress }) {
    progress(1, { message: 'packed' });
    return `It is on its way to ${city}.`;
  },
});

const choose = tool({
  name: 'choose',
  description: 'Asks which tea it shall be.',
  async run(_args, { elicit }) {
    const requestedSchema = { type: 'object', properties: { tea: { type: 'string' } } };
    const { content } = await elicit('tea', { message: 'Which tea?', requestedSchema });
    return `One ${content?.['tea']} tea.`;
  },
});

const steep = tool({
  name: 'steep',
  description: 'Sends the client away meanwhile.',
  run(_args, { closeStream }) {
    closeStream();
    return 'Three minutes later.';
  },
});

export const makeServer = (): Server =>
  new Server({ name: 'tea-house', version: '1.0.0', tools: [post, choose, steep] });

const handshake = { protocol: '2025-11-25' } as const;
const stateless = { protocol: '2026-07-28' } as const;
const onElicit = () => ({ action: 'accept', content: { tea: 'green' } }) as const;

export const httpScenarios: Readonly<Record<string, HttpScenario>> = {
  'handshake-session': {
    options: { ...handshake, onElicit },
    serving: () => ({}),
    run: async client => void (await client.call('choose')),
  },
  'handshake-resume': {
    options: handshake,
    serving: () => ({ events: memoryEvents(), retry: 1 }),
    run: async client => void (await client.call('steep')),
  },
  'stateless-headers': {
    options: stateless,
    serving: () => ({}),
    async run(client) {
      await client.tools().all();
      await client.call('post', { city: 'Zürich' }, { onProgress: () => {} });
      await client.call('poste', {}).catch(() => {});
    },
  },
};
