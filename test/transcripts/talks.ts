/** What is done in the transcripts of what happens during a call: progress, log messages, questions of every kind. */
import type { Client } from '../../src/client/client.ts';
import type { ClientOptions } from '../../src/client/options.ts';
import { Server } from '../../src/server/server.ts';
import { tool } from '../../src/tools/tool.ts';
import type { Scenario } from './scenarios.ts';

const brew = tool({
  name: 'brew',
  description: 'Brews and says how it goes.',
  run(_args, { progress, log }) {
    log('debug', 'nobody wants to know this');
    progress(1, { total: 2, message: 'the kettle is on' });
    log('warning', { kettle: 'old' }, 'kitchen');
    progress(2, { total: 2 });
    return 'A cup of tea.';
  },
});

const advise = tool({
  name: 'advise',
  description: 'Asks the model which tea, and for the folder of the recipes.',
  async run(_args, { sample, roots }) {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Which tea?' } }] as const;
    const [answer, folders] = await Promise.all([
      sample('tea', { messages, maxTokens: 10 }),
      roots('recipes'),
    ]);
    return `${JSON.stringify(answer.content)} from ${folders[0]?.uri}`;
  },
});

const serve = (): Server => new Server({ name: 'tea-house', version: '1.0.0', tools: [brew, advise] });
const serveInPages = (): Server =>
  new Server({ name: 'tea-house', version: '1.0.0', tools: [brew, advise], pageSize: 1 });
const listAll = async (client: Client): Promise<void> => {
  await client.tools().all();
  await client
    .tools()
    .page('what is this?')
    .catch(() => {});
};
const listening: ClientOptions = { logLevel: 'warning', onLog: () => {} };
const answering: ClientOptions = {
  onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'green' }, model: 'leaf-1' }),
  onRoots: () => [{ uri: 'file:///recipes', name: 'Recipes' }],
};
const watchBrew = async (client: Client): Promise<void> => {
  await client.call('brew', {}, { onProgress: () => {} });
};
const callAdvise = async (client: Client): Promise<void> => void (await client.call('advise'));

const handshake = { protocol: '2025-11-25' } as const;
const oldest = { protocol: '2024-11-05' } as const;
const stateless = { protocol: '2026-07-28' } as const;

export const talkScenarios: Readonly<Record<string, Scenario>> = {
  'handshake-progress-and-log': { options: { ...handshake, ...listening }, serve, run: watchBrew },
  'handshake-oldest-revision': { options: { ...oldest, ...listening }, serve, run: watchBrew },
  'stateless-progress-and-log': { options: { ...stateless, ...listening }, serve, run: watchBrew },
  'handshake-pages': { options: handshake, serve: serveInPages, run: listAll },
  'stateless-pages': { options: stateless, serve: serveInPages, run: listAll },
  'handshake-sample-and-roots': { options: { ...handshake, ...answering }, serve, run: callAdvise },
  'stateless-sample-and-roots': { options: { ...stateless, ...answering }, serve, run: callAdvise },
};
