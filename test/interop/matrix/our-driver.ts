/** Our client as a driver of the matrix. */
import {
  type Channel,
  type Client,
  connect,
  EraMemory,
  http,
  type Revision,
} from '../../../src/entries/client.ts';
import { stdio } from '../../../src/entries/stdio.ts';
import { Stock } from '../../peers/stock.mjs';
import type { CallOutcome, OpenDriver, Watch } from './driver.ts';

/** The mode is the `protocol` option. */
export const openOurs: OpenDriver = async (way, mode) => {
  const channel: Channel =
    way.kind === 'stdio' ? stdio({ command: way.command, args: way.args }) : http(way.url);
  const logs = new Stock<{ readonly level: string; readonly data: unknown }>();
  const client = await connect(channel, {
    protocol: mode as 'auto' | Revision,
    eraMemory: new EraMemory(),
    logLevel: 'warning',
    onLog: entry => logs.add(entry),
    onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
    onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'oolong' }, model: 'teapot' }),
    onRoots: () => [{ uri: 'file:///tea', name: 'tea' }],
  });
  return {
    revision: client.revision,
    server: client.server,
    renewsSessions: true,
    tools: () => client.tools().all(),
    call: async (name, args = {}, options = {}) => (await client.call(name, args, options)) as CallOutcome,
    resources: () => client.resources().all(),
    templates: () => client.resourceTemplates().all(),
    async read(uri) {
      const [part] = (await client.read(uri)).contents;
      return (part as { readonly text?: string } | undefined)?.text;
    },
    prompts: () => client.prompts().all(),
    async prompt(name, args) {
      const [message] = (await client.prompt(name, args)).messages;
      return (message?.content as { readonly text?: string } | undefined)?.text;
    },
    complete: async (prompt, argument) => (await client.complete({ prompt }, argument)).values,
    watch: what => watch(client, what),
    nextLog: () => logs.take(),
    close: () => client.close(),
  };
};

async function watch(client: Client, what: Parameters<Client['watch']>[0]): Promise<Watch> {
  const controller = new AbortController();
  const changes = client.watch(what, { signal: controller.signal })[Symbol.asyncIterator]();
  return {
    async next() {
      const { value, done } = await changes.next();
      if (done) throw new Error('the watch is over');
      return value;
    },
    async stop() {
      controller.abort();
      await changes.return?.();
    },
  };
}
