/** A call can be given up while its arguments are still being judged. */
import { describe, expect, it } from 'vitest';
import { introductions, served } from '../../test/fixtures/served.ts';
import { tool } from '../tools/tool.ts';
import { prompt } from './prompt.ts';
import { Server } from './server.ts';

/** A schema of a library that takes its time. */
const slow = {
  '~standard': {
    version: 1,
    vendor: 'by hand',
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    async validate(value: unknown) {
      await new Promise(setImmediate);
      return { value };
    },
  },
} as never;

const turns = async (): Promise<void> => {
  for (let count = 0; count < 5; count += 1) await new Promise(setImmediate);
};

describe.each(introductions)('a call that is cancelled before its handler begins (%s)', how => {
  it.each(['tools/call', 'prompts/get'])('runs nothing and leaves nothing behind: %s', async method => {
    let runs = 0;
    const run = (): string => {
      runs += 1;
      return 'done';
    };
    const tools = [tool({ name: 'it', description: '', input: slow, run })];
    const prompts = [prompt({ name: 'it', description: '', arguments: slow, get: run })];
    const client = served(new Server({ name: 's', version: '1', tools, prompts }), how);
    const params = { name: 'it', arguments: {} };
    void client.ask(method, params);
    const id = client.lastId();
    client.notify('notifications/cancelled', { requestId: id });
    await turns();
    expect([runs, client.inlet.running]).toEqual([0, 0]);
    expect(client.sent.filter(message => 'id' in message && message.id === id)).toEqual([]);
    void client.ask(method, params);
    await turns();
    expect(runs).toBe(1);
  });

  it('leaves its place to others, also where its handler would wait for the signal for ever', async () => {
    const waits = (_args: unknown, { signal }: { readonly signal: AbortSignal }): Promise<string> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const tools = [
      tool({ name: 'waits', description: '', input: slow, run: waits }),
      tool({ name: 'quick', description: '', run: () => 'done' }),
    ];
    const client = served(new Server({ name: 's', version: '1', tools }), how);
    for (let count = 0; count < 300; count += 1) {
      void client.call('waits');
      client.notify('notifications/cancelled', { requestId: client.lastId() });
    }
    expect((await client.call('quick')).result?.content?.[0]?.text).toBe('done');
    await turns();
    expect(client.inlet.running).toBe(0);
  });
});
