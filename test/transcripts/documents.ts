/** What is done in the transcripts of resources, prompts, completion and questions in the explicit form. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Acceptor } from '../../src/channels/channel.ts';
import type { Client } from '../../src/client/client.ts';
import { prompt } from '../../src/server/prompt.ts';
import { resource } from '../../src/server/resource.ts';
import { Server } from '../../src/server/server.ts';
import { needInput } from '../../src/tools/need-input.ts';
import { tool } from '../../src/tools/tool.ts';
import type { Scenario } from './scenarios.ts';

const card = resource({
  uri: 'tea://card',
  name: 'card',
  title: 'The card',
  mimeType: 'text/plain',
  freshness: { ttlMs: 60_000, scope: 'public' },
  read: () => 'green, black, white',
});

const leaf = resource({
  template: 'tea://leaves/{kind}',
  name: 'leaf',
  complete: { kind: ['green', 'black', 'white'] },
  read: ({ kind }) => (kind === 'green' ? Uint8Array.of(103) : undefined),
});

const order = prompt({
  name: 'order',
  description: 'Orders a tea.',
  arguments: [{ name: 'tea', description: 'which one', required: true }],
  complete: { tea: ['green', 'black', 'white'] },
  get: ({ tea }) => `Bring me a cup of ${tea} tea, please.`,
});

const brew = tool({
  name: 'brew',
  description: 'Asks which tea, puts the kettle on, asks how long.',
  run(_args, { answers, memo }) {
    const said = (key: string): unknown => answers.elicit(key)?.content?.[key];
    const ask = (key: string, type: string) =>
      ({
        elicit: { message: `${key}?`, requestedSchema: { type: 'object', properties: { [key]: { type } } } },
      }) as const;
    if (memo === undefined) return needInput({ tea: ask('tea', 'string') }, { kettle: 'off' });
    if (said('minutes') === undefined)
      return needInput({ minutes: ask('minutes', 'integer') }, { kettle: 'on' });
    return `${said('tea')} tea after ${said('minutes')} minutes`;
  },
});

const serve = (): Server =>
  new Server({
    name: 'tea-house',
    version: '1.0.0',
    tools: [brew],
    resources: [card, leaf],
    prompts: [order],
  });

async function readAll(client: Client): Promise<void> {
  await client.resources().all();
  await client.resourceTemplates().all();
  await client.read('tea://card');
  await client.read('tea://leaves/green');
  await client.read('tea://leaves/red').catch(() => {});
}

async function watchCard(client: Client, server: Acceptor): Promise<void> {
  const controller = new AbortController();
  const changes = client
    .watch({ uris: ['tea://card'] }, { signal: controller.signal })
    [Symbol.asyncIterator]();
  const first = changes.next();
  await turn();
  (server as Server).changed('tea://card');
  await first;
  controller.abort();
  await changes.next();
  await turn();
}

async function writeOrder(client: Client): Promise<void> {
  await client.prompts().all();
  await client.complete({ prompt: 'order' }, { name: 'tea', value: 'b' });
  await client.prompt('order', { tea: 'black' });
  await client.prompt('order').catch(() => {});
}

const handshake = { protocol: '2025-11-25' } as const;
const stateless = { protocol: '2026-07-28' } as const;
const onElicit = ({ message }: { readonly message: string }) =>
  ({ action: 'accept', content: message === 'tea?' ? { tea: 'green' } : { minutes: 3 } }) as const;
const callBrew = async (client: Client): Promise<void> => void (await client.call('brew'));

export const documentScenarios: Readonly<Record<string, Scenario>> = {
  'handshake-resources': { options: handshake, serve, run: readAll },
  'stateless-resources': { options: stateless, serve, run: readAll },
  'handshake-subscription': { options: handshake, serve, run: watchCard },
  'stateless-resource-watch': { options: stateless, serve, run: watchCard },
  'handshake-prompts': { options: handshake, serve, run: writeOrder },
  'stateless-prompts': { options: stateless, serve, run: writeOrder },
  'handshake-need-input': { options: { ...handshake, onElicit }, serve, run: callBrew },
  'stateless-need-input': { options: { ...stateless, onElicit }, serve, run: callBrew },
};
